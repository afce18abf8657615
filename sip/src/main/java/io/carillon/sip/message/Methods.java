package io.carillon.sip.message;

import io.carillon.sip.bytes.Ascii;

/**
 * The methods of SIP. {@link #intern} gives one String per known method, so that those compare with
 * {@code ==}; unknown methods are Strings of their own and compare with {@code equals}. Methods are
 * case-sensitive (RFC 3261 section 7.1).
 */
public final class Methods {
    public static final String INVITE = "INVITE";
    public static final String ACK = "ACK";
    public static final String BYE = "BYE";
    public static final String CANCEL = "CANCEL";
    public static final String OPTIONS = "OPTIONS";
    public static final String REGISTER = "REGISTER";
    public static final String PRACK = "PRACK";
    public static final String SUBSCRIBE = "SUBSCRIBE";
    public static final String NOTIFY = "NOTIFY";
    public static final String PUBLISH = "PUBLISH";
    public static final String INFO = "INFO";
    public static final String REFER = "REFER";
    public static final String MESSAGE = "MESSAGE";
    public static final String UPDATE = "UPDATE";

    private Methods() {}

    /** The constant for the token in the slice, else a new String. */
    public static String intern(byte[] b, int from, int to) {
        String likely = to > from ? likely(b[from], to - from) : "";
        return Ascii.equals(b, from, to, likely) ? likely : Ascii.string(b, from, to);
    }

    // Without a look at the others: they would be a memory access each.
    /** The only known method with this first letter and length, else another one. */
    private static String likely(int first, int length) {
        return switch (first) {
            case 'A' -> ACK;
            case 'B' -> BYE;
            case 'C' -> CANCEL;
            case 'I' -> length == 4 ? INFO : INVITE;
            case 'M' -> MESSAGE;
            case 'N' -> NOTIFY;
            case 'P' -> length == 5 ? PRACK : PUBLISH;
            case 'R' -> length == 5 ? REFER : REGISTER;
            case 'S' -> SUBSCRIBE;
            case 'U' -> UPDATE;
            default -> OPTIONS;
        };
    }

    /** The constant equal to the method, else the method itself. */
    public static String intern(String method) {
        String likely = method.isEmpty() ? "" : likely(method.charAt(0), method.length());
        return likely.equals(method) ? likely : method;
    }

    /** Is it a method of an RFC that we know of? */
    public static boolean isKnown(String method) {
        return !method.isEmpty() && likely(method.charAt(0), method.length()).equals(method);
    }

    /**
     * Does a 2xx (or for INVITE a tagged 1xx) to this method create a dialog? RFC 3261, 6665, 3515.
     */
    public static boolean createsDialog(String method) {
        return method.equals(INVITE) || method.equals(SUBSCRIBE) || method.equals(REFER);
    }
}
