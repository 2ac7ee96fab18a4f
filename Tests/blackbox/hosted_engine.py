"""Settings of a service whose own engine for speech or text is a server of the test."""


def hosted_engine(stage, url, model, key):
    """For a `Rig`; the stage as settings name it: SPEECH or CLEANUP."""
    return {
        f"DIARY_{stage}": "openai",
        f"DIARY_{stage}_URL": url,
        f"DIARY_{stage}_MODEL": model,
        f"DIARY_{stage}_KEY": key,
        "DIARY_ENGINES_PRIVATE": "1",
    }
