package io.carillon.sip.bytes;

/**
 * Text that does not follow the SIP grammar. Carries no stack trace: bad input is an outcome, not a
 * fault of the program, and must be cheap to report at line rate.
 */
public final class SipParseException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * A fault.
     *
     * @param message what is wrong, fit to be a SIP reason phrase: one line, no quoted input
     */
    public SipParseException(String message) {
        super(message, null, false, false);
    }

    /** The message; never null here. */
    @Override
    public String getMessage() {
        String message = super.getMessage();
        return message == null ? "" : message;
    }
}
