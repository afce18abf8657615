package io.carillon.sip.message;

/** Default reason phrases (RFC 3261 section 21 and later RFCs of the IANA registry). */
public final class ReasonPhrases {
    private ReasonPhrases() {}

    /** The registered phrase; that of the class (x00) for a code without one. */
    public static String of(int status) {
        String phrase = registered(status);
        if (!phrase.isEmpty()) {
            return phrase;
        }
        // RFC 3261 8.1.3.2: an unrecognized final response is treated as the x00 of its class.
        return switch (status / 100) {
            case 1 -> "Session Progress";
            case 2 -> "OK";
            case 3 -> "Multiple Choices";
            case 4 -> "Bad Request";
            case 5 -> "Server Internal Error";
            default -> "Busy Everywhere";
        };
    }

    private static String registered(int status) {
        return status < 400
                ? below400(status)
                : status < 500 ? clientError(status) : above499(status);
    }

    private static String below400(int status) {
        return switch (status) {
            case 100 -> "Trying";
            case 180 -> "Ringing";
            case 181 -> "Call Is Being Forwarded";
            case 182 -> "Queued";
            case 183 -> "Session Progress";
            case 199 -> "Early Dialog Terminated";
            case 200 -> "OK";
            case 202 -> "Accepted";
            case 204 -> "No Notification";
            case 300 -> "Multiple Choices";
            case 301 -> "Moved Permanently";
            case 302 -> "Moved Temporarily";
            case 305 -> "Use Proxy";
            case 380 -> "Alternative Service";
            default -> "";
        };
    }

    private static String clientError(int status) {
        return switch (status) {
            case 400 -> "Bad Request";
            case 401 -> "Unauthorized";
            case 402 -> "Payment Required";
            case 403 -> "Forbidden";
            case 404 -> "Not Found";
            case 405 -> "Method Not Allowed";
            case 406 -> "Not Acceptable";
            case 407 -> "Proxy Authentication Required";
            case 408 -> "Request Timeout";
            case 410 -> "Gone";
            case 412 -> "Conditional Request Failed";
            case 413 -> "Request Entity Too Large";
            case 414 -> "Request-URI Too Long";
            case 415 -> "Unsupported Media Type";
            case 416 -> "Unsupported URI Scheme";
            case 417 -> "Unknown Resource-Priority";
            case 420 -> "Bad Extension";
            case 421 -> "Extension Required";
            case 422 -> "Session Interval Too Small";
            case 423 -> "Interval Too Brief";
            case 424 -> "Bad Location Information";
            case 428 -> "Use Identity Header";
            case 429 -> "Provide Referrer Identity";
            case 430 -> "Flow Failed";
            case 433 -> "Anonymity Disallowed";
            case 436 -> "Bad Identity Info";
            case 437 -> "Unsupported Credential";
            case 438 -> "Invalid Identity Header";
            case 439 -> "First Hop Lacks Outbound Support";
            case 440 -> "Max-Breadth Exceeded";
            case 469 -> "Bad Info Package";
            case 470 -> "Consent Needed";
            case 480 -> "Temporarily Unavailable";
            case 481 -> "Call/Transaction Does Not Exist";
            case 482 -> "Loop Detected";
            case 483 -> "Too Many Hops";
            case 484 -> "Address Incomplete";
            case 485 -> "Ambiguous";
            case 486 -> "Busy Here";
            case 487 -> "Request Terminated";
            case 488 -> "Not Acceptable Here";
            case 489 -> "Bad Event";
            case 491 -> "Request Pending";
            case 493 -> "Undecipherable";
            case 494 -> "Security Agreement Required";
            default -> "";
        };
    }

    private static String above499(int status) {
        return switch (status) {
            case 500 -> "Server Internal Error";
            case 501 -> "Not Implemented";
            case 502 -> "Bad Gateway";
            case 503 -> "Service Unavailable";
            case 504 -> "Server Time-out";
            case 505 -> "Version Not Supported";
            case 513 -> "Message Too Large";
            case 555 -> "Push Notification Service Not Supported";
            case 580 -> "Precondition Failure";
            case 600 -> "Busy Everywhere";
            case 603 -> "Decline";
            case 604 -> "Does Not Exist Anywhere";
            case 606 -> "Not Acceptable";
            case 607 -> "Unwanted";
            case 608 -> "Rejected";
            default -> "";
        };
    }
}
