package io.carillon.sip.codec;

/** Faults of a message that a parser can be told to tolerate, each with the sentence it breaks. */
public enum Violation {
    /** RFC 2543 clients send no From tag; the dialog is then known without it. */
    FROM_TAG_MISSING("RFC 3261 8.1.1.3", "The From field MUST contain a new \"tag\" parameter"),

    /** RFC 2543 requests have no branch, or one without the magic cookie. */
    BRANCH_WITHOUT_COOKIE(
            "RFC 3261 8.1.1.7",
            "it MUST contain a branch parameter ... MUST always begin with z9hG4bK"),

    /** A proxy adds it (16.6 step 3). */
    MAX_FORWARDS_MISSING(
            "RFC 3261 8.1.1.6", "A UAC MUST insert a Max-Forwards header field into each request"),

    /** Read as absent, as RFC 4475 3.1.2.4 allows. */
    MAX_FORWARDS_ABOVE_255(
            "RFC 3261 20.22", "The Max-Forwards value is an integer in the range 0-255"),

    /** Still below 2^32; above that no message is accepted. */
    CSEQ_ABOVE_2_31("RFC 3261 8.1.1.5", "its value MUST be ... less than 2**31"),

    /** Two semicolons in a row, or one at the end. */
    EMPTY_PARAMETER("RFC 3261 25.1", "generic-param = token [ EQUAL gen-value ]"),

    /** A comma at the end of a Contact, Route or Record-Route list. */
    EMPTY_LIST_ELEMENT(
            "RFC 3261 7.3.1", "header = \"header-name\" HCOLON header-value *(COMMA header-value)"),

    /** A URI in angle brackets that goes over a line fold; it is read without the white space. */
    FOLD_IN_URI("RFC 3261 25.1", "name-addr = [ display-name ] LAQUOT addr-spec RAQUOT"),

    /** A URI without scheme in angle brackets; it is read as a SIP URI. */
    SCHEME_MISSING("RFC 3261 25.1", "addr-spec = SIP-URI / SIPS-URI / absoluteURI"),

    /**
     * Text after an address that is no parameter and opens no quotes or brackets; it is skipped.
     */
    JUNK_AFTER_ADDRESS("RFC 3261 20.10", "name-addr / addr-spec, then parameters"),

    /** "Route: sip:p1.example.com;lr": all of it is the URI; brackets are put around it. */
    ROUTE_WITHOUT_BRACKETS("RFC 3261 20.34", "Route = \"Route\" HCOLON route-param, a name-addr"),

    /**
     * A Contact that cannot be read where no later request needs it: in a response, and in a
     * request that neither makes a dialog nor moves its target nor registers. It is passed on as
     * text, and read as absent.
     */
    CONTACT_UNREADABLE("RFC 3261 20.10", "Contact: name-addr / addr-spec, then parameters"),

    /** "SIP/2.0/UDP user@host": the user is skipped. */
    USER_IN_VIA("RFC 3261 25.1", "sent-by = host [ COLON port ]"),

    /** A datagram whose Content-Length holds no digit at all; its body is what came. */
    CONTENT_LENGTH_WITHOUT_DIGITS("RFC 3261 25.1", "Content-Length = 1*DIGIT"),

    /** A line among the headers that holds no colon at all; it is ignored and not forwarded. */
    HEADER_LINE_WITHOUT_COLON("RFC 3261 7.3", "field-name: field-value"),

    /** "SIP/2.0 200" without the space that stands before even an empty phrase. */
    REASON_PHRASE_SPACE_MISSING("RFC 3261 7.2", "SIP-Version SP Status-Code SP Reason-Phrase CRLF"),

    /** Subject, User-Agent, Date and the like twice; nothing is decided by them. */
    INFORMATIONAL_HEADER_REPEATED(
            "RFC 3261 7.3.1", "Multiple header field rows ... only if the entire value is a list"),

    /** Control characters other than tab, CR, LF and NUL outside quoted pairs. */
    CONTROL_CHARACTER("RFC 3261 25.1", "TEXT-UTF8char = %x21-7E / UTF8-NONASCII"),

    /** The message ends with its last header line. */
    EMPTY_LINE_MISSING(
            "RFC 3261 7", "the empty line MUST be present even if the message-body is not");

    private final String reference;
    private final String sentence;

    Violation(String reference, String sentence) {
        this.reference = reference;
        this.sentence = sentence;
    }

    /** RFC and section. */
    public String reference() {
        return reference;
    }

    /** What the RFC says there. */
    public String sentence() {
        return sentence;
    }
}
