package io.carillon.sip.uri;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.SipParseException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A telephone number (RFC 3966). */
public final class TelUri extends Uri {
    private static final int NUMBER_START = 4;

    private final int paramsStart;

    TelUri(String text, int paramsStart) {
        super(text);
        this.paramsStart = paramsStart;
    }

    /** Parses a TEL URI, or says that the text is another kind of URI. */
    public static TelUri parseTel(String text) throws SipParseException {
        if (parse(text) instanceof TelUri tel) {
            return tel;
        }
        throw new SipParseException("Not A TEL URI");
    }

    @Override
    public String scheme() {
        return "tel";
    }

    /** The number as written: the plus of a global number and visual separators included. */
    public String number() {
        return text.substring(NUMBER_START, paramsStart);
    }

    /** Is it a global number, beginning with a plus? */
    public boolean global() {
        return text.charAt(NUMBER_START) == '+';
    }

    @Override
    public @Nullable String param(String name) {
        int at = UriText.findParam(text, paramsStart, text.length(), name);
        return at < 0 ? null : UriText.paramValue(text, at, text.length());
    }

    /** Parameter names in order. */
    public List<String> paramNames() {
        return UriText.paramNames(text, paramsStart, text.length());
    }

    /** The same number with a parameter set; a null value makes it a flag. */
    public TelUri withParam(String name, @Nullable String value) {
        return new TelUri(
                UriText.withParam(text, paramsStart, text.length(), name, value), paramsStart);
    }

    /** The same number without a parameter. */
    public TelUri withoutParam(String name) {
        return new TelUri(
                UriText.withoutParam(text, paramsStart, text.length(), name), paramsStart);
    }

    /** The same parameters on another number. */
    public TelUri withNumber(String number) throws SipParseException {
        return parseTel("tel:" + number + text.substring(paramsStart));
    }

    // RFC 3966 5: "Both must be either a local-number or a global-number ... compared after
    // removing
    // all visual-separator; parameters are compared regardless of order, and their names and values
    // case-insensitively; all mandatory additional parameters must match."
    @Override
    public boolean matches(Uri other) {
        if (!(other instanceof TelUri o) || global() != o.global()) {
            return false;
        }
        if (!Ascii.equalsIgnoreCase(bare(number()), bare(o.number()))) {
            return false;
        }
        List<String> names = paramNames();
        if (names.size() != o.paramNames().size()) {
            return false;
        }
        for (String name : names) {
            String mine = param(name);
            String theirs = o.param(name);
            if (mine == null || theirs == null || !sameParam(name, mine, theirs)) {
                return false;
            }
        }
        return true;
    }

    private static boolean sameParam(String name, String mine, String theirs) {
        boolean number =
                Ascii.equalsIgnoreCase(name, "ext")
                        || (Ascii.equalsIgnoreCase(name, "phone-context") && mine.startsWith("+"));
        return number
                ? Ascii.equalsIgnoreCase(bare(mine), bare(theirs))
                : UriText.same(mine, theirs, true);
    }

    private static String bare(String number) {
        StringBuilder out = new StringBuilder(number.length());
        for (int i = 0; i < number.length(); i++) {
            char c = number.charAt(i);
            if (c != '-' && c != '.' && c != '(' && c != ')') {
                out.append(c);
            }
        }
        return out.toString();
    }
}
