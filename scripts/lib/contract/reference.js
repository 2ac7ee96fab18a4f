// Draws the reference of the API (/docs/reference) with Redoc, which stands before this in the file that scripts/contract makes.
(() => {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const colors = {
    false: { ink: '#1d1d1f', soft: '#5f5f66', line: '#dcdad4', paper: '#ffffff', panel: '#f6f5f2', accent: '#2f5d50', code: '#23312d' },
    true: { ink: '#ececee', soft: '#a9a9b0', line: '#3a3a3f', paper: '#161618', panel: '#232326', accent: '#8cc4b3', code: '#101012' },
  };
  const draw = () => {
    const { ink, soft, line, paper, panel, accent, code } = colors[dark.matches];
    const mono = 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace';
    const fresh = document.createElement('main');
    fresh.id = 'reference';
    document.getElementById('reference').replaceWith(fresh);
    Redoc.init('../openapi.json', {
      hideDownloadButtons: true, nativeScrollbars: true, requiredPropsFirst: true, hideHostname: true, hideSchemaPattern: true,
      theme: {
        colors: {
          primary: { main: accent, light: accent }, text: { primary: ink, secondary: soft }, border: { dark: line, light: line },
          gray: { 50: panel, 100: panel }, success: { main: accent }, error: { main: dark.matches ? '#ff8a80' : '#b3261e' },
          responses: {
            success: { backgroundColor: panel, tabTextColor: '#8cc4b3' }, redirect: { color: soft, backgroundColor: panel, tabTextColor: '#ffb74d' },
            error: { backgroundColor: panel, tabTextColor: '#ff8a80' },
          },
        },
        typography: {
          fontFamily: 'system-ui, sans-serif', headings: { fontFamily: 'system-ui, sans-serif' },
          code: { fontFamily: mono, color: ink, backgroundColor: panel, wrap: true }, links: { color: accent, visited: accent, hover: accent },
        },
        sidebar: { backgroundColor: panel, textColor: ink, activeTextColor: accent },
        rightPanel: { backgroundColor: code },
        schema: { nestedBackground: panel, linesColor: line, typeNameColor: soft, typeTitleColor: soft },
      },
    }, fresh);
  };
  dark.addEventListener('change', draw);
  draw();
})();
