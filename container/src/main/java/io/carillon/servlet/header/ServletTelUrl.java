package io.carillon.servlet.header;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.uri.TelUri;
import java.util.Collections;
import java.util.Iterator;
import java.util.Objects;
import javax.servlet.sip.TelURL;
import org.jspecify.annotations.Nullable;

/** A telephone number as applications see it (RFC 3966). Owner: the turn. */
final class ServletTelUrl extends ServletUri implements TelURL {
    private static final String CONTEXT = "phone-context";

    private TelUri value;

    ServletTelUrl(TelUri value, Rights rights, @Nullable Owner owner) {
        super(rights, owner);
        this.value = value;
    }

    @Override
    public TelUri value() {
        return value;
    }

    /** Visual separators included, the plus of a global number not. */
    @Override
    public String getPhoneNumber() {
        String number = value.number();
        return value.global() ? number.substring(1) : number;
    }

    @Override
    public boolean isGlobal() {
        return value.global();
    }

    @Override
    public @Nullable String getPhoneContext() {
        return value.global() ? null : value.param(CONTEXT);
    }

    // RFC 3966 5.1.4: "Globally unique numbers are identified by the leading "+" character."
    @Override
    public void setPhoneNumber(String number) {
        if (!number.startsWith("+")) {
            throw new IllegalArgumentException("a global number begins with +");
        }
        TelUri changed = renumbered(value.withoutParam(CONTEXT), number);
        changingUser();
        value = changed;
    }

    // RFC 3966 5.1.5: "Local numbers MUST have a 'phone-context' parameter".
    @Override
    public void setPhoneNumber(String number, String phoneContext) {
        if (number.startsWith("+")) {
            throw new IllegalArgumentException("a local number does not begin with +");
        }
        checkContext(Objects.requireNonNull(phoneContext, "phoneContext"));
        TelUri changed = renumbered(value.withParam(CONTEXT, phoneContext), number);
        changingUser();
        value = changed;
    }

    /**
     * descriptor = domainname / global-number-digits; the URI parser checks the number, not this.
     */
    private static void checkContext(String context) {
        boolean number = context.startsWith("+");
        boolean good =
                number
                        ? context.length() > 1
                        : !context.isEmpty() && Ascii.isAlpha(lastLabelStart(context));
        for (int i = number ? 1 : 0; good && i < context.length(); i++) {
            char c = context.charAt(i);
            good = number ? Ascii.isDigit(c) || "-.()".indexOf(c) >= 0 : isDomain(c);
        }
        if (!good) {
            throw new IllegalArgumentException("phone-context is a domain name or a global number");
        }
    }

    private static boolean isDomain(char c) {
        return Ascii.isAlpha(c) || Ascii.isDigit(c) || c == '-' || c == '.';
    }

    private static char lastLabelStart(String name) {
        int end = name.endsWith(".") ? name.length() - 1 : name.length();
        int dot = name.lastIndexOf('.', end - 1);
        return dot + 1 < name.length() ? name.charAt(dot + 1) : '.';
    }

    private static TelUri renumbered(TelUri uri, String number) {
        if (number.indexOf(';') >= 0) {
            throw new IllegalArgumentException("a phone number holds no parameters");
        }
        try {
            return uri.withNumber(number);
        } catch (SipParseException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    @Override
    @Nullable String parameter(String key) {
        return value.param(key);
    }

    @Override
    void putParameter(String name, String text) {
        value = value.withParam(name, text.isEmpty() ? null : text);
    }

    @Override
    void dropParameter(String name) {
        value = value.withoutParam(name);
    }

    @Override
    public Iterator<String> getParameterNames() {
        return Collections.unmodifiableList(value.paramNames()).iterator();
    }

    /** Of the digits alone: RFC 3966 5 compares without visual separators. */
    @Override
    public int hashCode() {
        String number = value.number();
        int hash = 0;
        for (int i = 0; i < number.length(); i++) {
            char c = number.charAt(i);
            if ("-.()".indexOf(c) < 0) {
                hash = 31 * hash + Ascii.lower(c);
            }
        }
        return hash;
    }
}
