import CLibcurl

extension EasyHandle {
    func setUpSMTP(_ plan: SMTPPlan) throws(TransferError) {
        try set(CURLOPT_USE_SSL, Int((plan.requiresTLS ? CURLUSESSL_ALL : CURLUSESSL_NONE).rawValue))
        // A connection for each mail, so that no state of one mail affects the next.
        try set(CURLOPT_FRESH_CONNECT, 1)
        try set(CURLOPT_FORBID_REUSE, 1)
        try set(CURLOPT_MAIL_FROM, "<\(plan.sender)>")
        try check(diary_curl_set_list(pointer, CURLOPT_MAIL_RCPT, lines.pointer))
        try set(CURLOPT_UPLOAD, 1)
        try set(CURLOPT_INFILESIZE_LARGE, offset: plan.length)
        if let login = plan.login {
            try set(CURLOPT_USERNAME, login.userText)
            try set(CURLOPT_PASSWORD, login.passwordText)
            // The two that every relay offers. Both send the password in plain, so they are used under TLS only.
            try set(CURLOPT_LOGIN_OPTIONS, "AUTH=PLAIN;AUTH=LOGIN")
        }
        try check(diary_curl_on_body(pointer, { _, size, count, _ in size * count }, nil))
        try check(
            diary_curl_on_header(
                pointer,
                { bytes, size, count, context in
                    EasyHandle.from(context)?.transfer.receive(reply: UnsafeRawBufferPointer(start: bytes, count: size * count))
                    return size * count
                }, context))
    }
}
