package io.carillon.servlet.feature.b2bua;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.OldHabit;
import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.uri.SipUri;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The header map of {@code B2buaHelper.createRequest}: From, To, Contact, Route and headers that
 * are no system headers.
 */
final class HeaderMap {
    private HeaderMap() {}

    /**
     * SIP Servlet 1.1, {@code createRequest}: {@code IllegalArgumentException} "if the map contains
     * a system header other than Contact, From and To", and Route.
     *
     * @throws IllegalArgumentException for a header that is the container's
     */
    static void check(@Nullable Map<String, List<String>> map, Application application) {
        if (map == null) {
            return;
        }
        for (Map.Entry<String, List<String>> entry : map.entrySet()) {
            HeaderName name = HeaderName.of(entry.getKey());
            if (ofTheContainer(name)) {
                if (application.has(OldHabit.SYSTEM_HEADERS_IN_MAP)) {
                    continue;
                }
                throw new IllegalArgumentException(name.text() + " is a system header");
            }
            if (entry.getValue() == null || entry.getValue().isEmpty()) {
                throw new IllegalArgumentException("no value for " + entry.getKey());
            }
        }
    }

    private static boolean ofTheContainer(HeaderName name) {
        return name.equals(HeaderName.VIA)
                || name.equals(HeaderName.CALL_ID)
                || name.equals(HeaderName.CSEQ)
                || name.equals(HeaderName.RECORD_ROUTE)
                || name.equals(HeaderName.PATH)
                || name.equals(HeaderName.RACK)
                || name.equals(HeaderName.RSEQ);
    }

    /** The address the map has for this header, or the given one. */
    static NameAddress address(
            @Nullable Map<String, List<String>> map, HeaderName name, NameAddress otherwise) {
        String text = first(map, name);
        return text == null ? otherwise : parse(name, text);
    }

    private static @Nullable String first(
            @Nullable Map<String, List<String>> map, HeaderName name) {
        if (map == null) {
            return null;
        }
        for (Map.Entry<String, List<String>> entry : map.entrySet()) {
            if (HeaderName.of(entry.getKey()).equals(name)) {
                return entry.getValue().getFirst();
            }
        }
        return null;
    }

    private static NameAddress parse(HeaderName name, String text) {
        try {
            return NameAddress.parse(text);
        } catch (SipParseException e) {
            throw new IllegalArgumentException("no address for " + name.text() + ": " + text, e);
        }
    }

    /** Puts what else the map holds into the request; From and To were its making's. */
    static void apply(@Nullable Map<String, List<String>> map, ServletRequest made) {
        if (map == null) {
            return;
        }
        for (Map.Entry<String, List<String>> entry : map.entrySet()) {
            HeaderName name = HeaderName.of(entry.getKey());
            if (name.equals(HeaderName.FROM)
                    || name.equals(HeaderName.TO)
                    || ofTheContainer(name)) {
                continue;
            }
            if (name.equals(HeaderName.CONTACT) && !made.getMethod().equals("REGISTER")) {
                contact(made, parse(name, entry.getValue().getFirst()));
                continue;
            }
            made.drop(name);
            for (String value : entry.getValue()) {
                made.putLast(name, value);
            }
        }
    }

    /** User part, display name and parameters are the application's; host and port stay ours. */
    private static void contact(ServletRequest made, NameAddress given) {
        String open = made.text(HeaderName.CONTACT);
        if (open == null) {
            return;
        }
        NameAddress ours = parse(HeaderName.CONTACT, open);
        if (!(ours.uri() instanceof SipUri here)) {
            return;
        }
        SipUri uri = here;
        if (given.uri() instanceof SipUri theirs) {
            if (theirs.user() != null) {
                uri = uri.withUser(theirs.user());
            }
            for (String param : theirs.paramNames()) {
                if (!param.equalsIgnoreCase("transport")
                        && !param.equalsIgnoreCase("maddr")
                        && !param.equalsIgnoreCase("lr")
                        && !param.equalsIgnoreCase("method")
                        && !param.equalsIgnoreCase("ttl")) {
                    uri = uri.withParam(param, theirs.param(param));
                }
            }
        }
        made.put(HeaderName.CONTACT, given.withUri(uri).toString());
    }
}
