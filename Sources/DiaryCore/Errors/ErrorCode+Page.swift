/// The words of the page about a code (`/problems/{code}`), for the people who write clients.
extension ErrorCode {
    /// What happened.
    package var explanation: String {
        switch self {
        case .malformedRequest:
            "The request is not HTTP as the service reads it: a broken path, a header twice, or a body of another length than announced."
        case .malformedJSON: "The body is not JSON, is nested too deeply, or names a member twice."
        case .invalidFields:
            "The request was understood, and some members of its body, query parameters or headers have values that the operation does not take."
        case .appUnknown: "The header Diary-App is missing, or names no app of this service or one that is suspended."
        case .unauthorized: "The access token is missing, malformed, expired or revoked, or its account has ended."
        case .invalidCredentials: "No account of this app signs in with this address and this password."
        case .codeRefused: "The mailed code is wrong, used, expired, tried too often, or belongs to another request."
        case .passwordRefused: "It is not the password of the account, or the account has none."
        case .refreshRefused: "The refresh token is unknown or expired, or its session has ended."
        case .tokenRefused:
            "The token of Apple or Google is forged, expired or not for this app, or its nonce was not given here or is used up."
        case .signatureRefused:
            "The request is not signed by the mail provider that is set here, or it is too old, for another topic or another app."
        case .appSuspended: "The operator has suspended the app. Its sessions are kept."
        case .addressNotVerified:
            "The operation needs a verified mail address of the account's own. One that a provider vouches for is none, unless the provider runs its mailbox, as Google does for gmail.com."
        case .reauthenticationRequired: "The operation needs a fresh proof of who you are."
        case .insufficientScope:
            "The API token lacks a scope that the operation needs, which detail names; or the operation needs a session and takes no API token."
        case .uploadRefused: "The upload does not match its signed URL, or its entry or import has ended."
        case .uploadURLExpired: "The signed URL is genuine and too old."
        case .linkRefused: "The link was not made by this service, or was changed on its way."
        case .notFound: "There is nothing at this address, or it belongs to another account."
        case .methodNotAllowed: "The address is known, and does not take this method."
        case .entryIDTaken: "The id that the client chose belongs to another entry of the account."
        case .speakerIDTaken: "The id that the client chose belongs to another speaker of the account, or to one that was deleted."
        case .noteIDTaken:
            "The entry has a note with the id that the client chose, and its text or its place in the recording is another one."
        case .uploadIncomplete: "The upload was reported as complete, and the recording or zip is not in the store."
        case .uploadSizeMismatch: "What was uploaded has another size than announced."
        case .uploadFinished: "The recording or zip has arrived already, or the import has expired, so there is nothing to upload."
        case .tooManyUploads: "As many recordings of the account as it may have at once are being sent in parts."
        case .tooManySchedules: "The account has as many export schedules as it may have."
        case .tooManySpeakers: "The account has as many speakers as it may have."
        case .tooManyTokens: "The account has as many API tokens as it may have."
        case .audioNotReady: "The recording has not arrived, is still being checked, or failed its check."
        case .originalNotKept: "The app keeps recordings in one form only: of one that was uploaded in another form the copy is kept."
        case .waveformUnavailable: "The recording was checked by a version of the service that drew no waveforms."
        case .audioRemoved:
            "The recording was removed by its owner, or because it was older than the account or the app keeps recordings. The text stays."
        case .audioOnDevice: "The recording stays on the device that made it; the service has the entry without it."
        case .transcriptNotReady: "The recording has not arrived, is still being transcribed, or could not be transcribed."
        case .notAVoiceEntry: "The entry is a text and has no recording."
        case .exportNotReady: "The zip of the export is still being made."
        case .alreadyProcessing: "The recording of the entry is being checked, transcribed or cleaned at this moment, or waits for it."
        case .reprocessNotPossible:
            "The entry has not failed, failed for a reason that another try does not change, or has nothing that the stage works on."
        case .entryDamaged: "Stored words of the entry were altered or lost, and cannot be read."
        case .concurrentChange: "Other requests changed the same thing at the same time, each before this one."
        case .providerNotConfigured: "The app has no client id of this provider."
        case .accountExists: "An account signs in with this address already, and the provider does not run its mailbox."
        case .identityTaken: "Another account signs in with this identity."
        case .lastIdentity: "The account has no other sign-in method."
        case .storageExceeded:
            "The recording does not fit into what the account may store. Recordings count from their announcement on, in the trash too; texts and exports do not count."
        case .duplicateRecording:
            "An entry of the account has a recording with this SHA-256, arrived or announced. entry_id names it."
        case .syncCursorExpired:
            "The position in the feed is older than what the service remembers of deletions, or was given before a restore from a backup."
        case .entryDeleted: "An earlier request with this Idempotency-Key or id made an entry, which has been deleted since."
        case .linkExpired: "The link is genuine, and has expired, was used up or was revoked."
        case .preconditionFailed: "The entry or the profile has another version than If-Match names: it was changed since it was read."
        case .uploadExists: "The file is in the store already. An upload is never overwritten."
        case .bodyTooLarge: "The body is larger than the operation takes."
        case .uriTooLong: "The address of the request is too long."
        case .unsupportedMediaType: "The body has another media type, charset or coding than the operation takes."
        case .rangeNotSatisfiable: "The range that was asked for begins behind the end."
        case .idempotencyMismatch: "The Idempotency-Key was used for a request with other values."
        case .preconditionRequired: "The change needs the header If-Match, so that it overwrites nothing that was not seen."
        case .rateLimited: "A limit of the operation is used up for this account, client or address."
        case .headersTooLarge: "The header fields of the request are too large or too many."
        case .requestTimeout: "The request did not arrive completely in time."
        case .overloaded: "The service has more to do than it can take at this moment."
        case .unavailable: "A database, a store or another service that is needed does not answer."
        case .storageFull: "The service has no space left for recordings."
        case .internalError: "The service met a fault of its own. Its log has the cause."
        }
    }

    /// What a client does.
    package var advice: String {
        switch self {
        case .malformedRequest, .malformedJSON, .unsupportedMediaType, .uriTooLong, .headersTooLarge, .methodNotAllowed:
            "Correct the client: compare the request with the contract."
        case .invalidFields: "Show each element of errors at its field, and let the user correct it."
        case .appUnknown: "Send the app's own name in Diary-App."
        case .unauthorized:
            "Refresh the access token once and repeat the request. When the refresh is refused too, ask the user to sign in."
        case .invalidCredentials: "Let the user type both again, or sign in with a mailed code."
        case .codeRefused: "Let the user look at the newest mail, or ask for a new code. The session of a user who is signed in goes on."
        case .passwordRefused: "Let the user type it again. The session of a user who is signed in goes on."
        case .refreshRefused: "Forget the tokens and ask the user to sign in. Keep what has not been uploaded."
        case .tokenRefused: "Ask for a new nonce and run the provider's sign-in again."
        case .signatureRefused:
            "Nothing: only mail providers call this. An operator compares key, topic and address with the provider's page."
        case .appSuspended: "Keep tokens and unsent data, tell the user, and try again later."
        case .addressNotVerified:
            "Let the user add an address: POST /v1/auth/codes with the purpose new_email, then /v1/me/email/confirm with the code."
        case .reauthenticationRequired: "Ask for the password or a mailed code (/v1/me/reauthenticate), then repeat the request."
        case .insufficientScope: "Make a token with this scope while signed in (POST /v1/me/tokens), or sign in."
        case .uploadRefused, .uploadURLExpired:
            "Ask for a fresh URL (/v1/uploads/{id}/url), and send exactly the headers that come with it."
        case .linkRefused: "Open the link as it was sent, or ask for a new one."
        case .notFound: "Take it off the screen. Check the address when it was typed."
        case .entryIDTaken: "Create the entry under a new id."
        case .speakerIDTaken: "Create the speaker under a new id."
        case .noteIDTaken:
            "Read the entry. Change the note (PATCH) where the client's text is the later one; add it under a new id where both are to stay."
        case .uploadIncomplete: "Send the file, then report it again."
        case .uploadSizeMismatch: "Announce the file again, with its size."
        case .uploadFinished:
            "Report the upload as complete, or read the entry or the import. Announce the zip of an expired import in a new one."
        case .tooManyUploads: "Send the recordings that have begun, or cancel them. A recording may also be sent in one piece."
        case .tooManySchedules: "Delete a schedule, or change one that is there."
        case .tooManyTokens: "Revoke tokens that are not used any more."
        case .tooManySpeakers: "Delete speakers that are not needed. A recording can name its speakers without them."
        case .audioNotReady, .transcriptNotReady: "Read the entry; ask again when its status has changed."
        case .originalNotKept: "Ask for the recording without `original`."
        case .waveformUnavailable: "Show the recording without one; asking again does not change it."
        case .audioRemoved: "Do not offer playback or a new transcription. The entry has audio_removed_at."
        case .audioOnDevice: "Play it there, or upload it with POST /v1/entries/{id}/audio."
        case .notAVoiceEntry:
            "Do not offer playback, upload or recognition of texts. The stage clean takes them where the app has cleanup.extras."
        case .exportNotReady: "Ask again in some seconds, or wait for the mail."
        case .alreadyProcessing: "Read the entry; ask again when its status is transcribed or failed."
        case .reprocessNotPossible:
            "Read processing of the entry: code says what is wrong, and action what can be done. Without words, ask for the stage transcribe."
        case .entryDamaged: "Show the entry as damaged, and leave it as it is. The operator can look for it in a backup."
        case .concurrentChange: "Repeat the request."
        case .providerNotConfigured: "Offer the methods that GET /v1/config lists under sign_in."
        case .accountExists: "Let the user sign in as before, and add the provider there (/v1/me/identities)."
        case .identityTaken: "Let the user sign in with it and remove it there, or keep the accounts apart."
        case .lastIdentity: "Let the user add another method first."
        case .storageExceeded:
            "Keep the recording, and let the user delete others and empty the trash. storage of the answer, and usage of GET /v1/me/stats, show what is stored and the limit. Repeating the request does not help."
        case .duplicateRecording:
            "Read the entry that entry_id names: it may still wait for its recording. To keep the recording twice, send allow_duplicate."
        case .syncCursorExpired: "Send the changes that wait, then read the feed from its beginning, and drop what it does not contain."
        case .entryDeleted: "Keep it deleted. To make it again, use a new id and a new Idempotency-Key."
        case .linkExpired: "Ask for a new link in the app."
        case .preconditionFailed:
            "Merge the change into current (or current_profile), which the answer carries, and repeat it with the answer's ETag."
        case .uploadExists: "Report the upload as complete."
        case .bodyTooLarge: "Send less: GET /v1/config has the limits."
        case .rangeNotSatisfiable: "Read Content-Range for the size, and ask for a part within it."
        case .idempotencyMismatch: "Use a new key for a new request, and the same key only to repeat the same request."
        case .preconditionRequired: "Send the ETag of the entry as If-Match."
        case .rateLimited, .overloaded, .unavailable: "Wait the seconds of Retry-After, then repeat the request."
        case .requestTimeout: "Repeat the request on a new connection."
        case .storageFull: "Keep the recording, and try again later."
        case .internalError: "Repeat the request once. If it fails again, tell the operator the request id."
        }
    }
}
