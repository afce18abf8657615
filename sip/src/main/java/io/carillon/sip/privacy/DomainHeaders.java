package io.carillon.sip.privacy;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipMessage;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What peers of a trust domain tell each other, and nobody else: the one list of it. Functions; any
 * thread.
 *
 * <p>Not on it is what goes between a network and its phones: P-Associated-URI (RFC 7315 4.1),
 * P-Media-Authorization (RFC 3313), P-Answer-State (RFC 4964); what is a wish: P-Preferred-Service
 * (RFC 6050); and what a proxy removes by policy alone: P-Early-Media (RFC 5009 8), Feature-Caps
 * (RFC 6809), Resource-Priority (RFC 4412).
 */
final class DomainHeaders {
    /**
     * Neither comes in nor leaves: identities and services that are asserted (RFC 3325, 6050, 5502,
     * the draft before them), who pays (RFC 7315, 8496, 5503), where a subscriber and his profile
     * are (RFC 4457, 5002), networks (RFC 7315, 7316), lawful interception and operators (RFC
     * 5503), members of a list (RFC 5318), and those of 3GPP TS 24.229 4.4 and 7.2.
     */
    private static final List<HeaderName> INSIDE =
            names(
                    "P-Asserted-Identity",
                    "P-Asserted-Service",
                    "P-Charging-Vector",
                    "P-Charging-Function-Addresses",
                    "Remote-Party-ID",
                    "P-Served-User",
                    "P-Charge-Info",
                    "P-DCS-Billing-Info",
                    "P-DCS-LAES",
                    "P-DCS-OSPS",
                    "P-DCS-Redirect",
                    "P-DCS-Trace-Party-ID",
                    "P-Private-Network-Indication",
                    "P-Profile-Key",
                    "P-Refused-URI-List",
                    "P-User-Database",
                    "P-Visited-Network-ID",
                    "Additional-Identity",
                    "Attestation-Info",
                    "Origination-Id",
                    "Priority-Verstat",
                    "Relayed-Charge",
                    "Restoration-Info",
                    "Service-Interact-Info");

    /**
     * Comes from a phone, and leaves to nobody outside: where the phone is. RFC 7315 4.4.2.2: the
     * proxy of the home network "MUST delete the header when the SIP signaling is forwarded to a
     * SIP server located in an untrusted administrative network domain".
     */
    private static final List<HeaderName> OF_PHONES =
            names("P-Access-Network-Info", "Cellular-Network-Info");

    /** Goes to a phone, and comes from nobody outside: by which address it was called. */
    private static final List<HeaderName> FOR_PHONES = names("P-Called-Party-ID");

    private static final Index COMING = new Index(List.of(INSIDE, FOR_PHONES));
    private static final Index LEAVING = new Index(List.of(INSIDE, OF_PHONES));

    /**
     * 3GPP TS 24.229 7.2A.20: how a number was verified, as its URI says it. Some readers see
     * escaped characters as what they stand for. The name ends where it ends: of a longer one
     * nothing is cut out, as what is left could be this one.
     */
    private static final Pattern VERSTAT =
            Pattern.compile(
                    "(?:;|%3b)\\s*"
                            + anyWritten("verstat")
                            + "(?:\\s*(?:=|%3d)\\s*(?:\"(?:[^\"\\\\]|\\\\.)*\""
                            + "|(?:[^;>@?,\\s%]|%(?!3b))*))?"
                            + "(?=\\s*(?:[;>@?,]|%3b|$)|\\s)",
                    Pattern.CASE_INSENSITIVE);

    private DomainHeaders() {}

    /** Which names there are, so that a message without any is passed by quickly. */
    private static final class Index {
        final List<HeaderName> names;
        private final boolean[] known = new boolean[HeaderName.knownCount()];
        private final List<HeaderName> others;

        Index(List<List<HeaderName>> all) {
            names = all.stream().flatMap(List::stream).toList();
            others = names.stream().filter(name -> name.id() < 0).toList();
            names.stream().filter(name -> name.id() >= 0).forEach(name -> known[name.id()] = true);
        }

        boolean in(SipMessage message) {
            for (int i = 0; i < message.headerCount(); i++) {
                int id = message.idAt(i);
                if (id >= 0 ? known[id] : isOther(message, i)) {
                    return true;
                }
            }
            return false;
        }

        private boolean isOther(SipMessage message, int line) {
            for (int i = 0; i < others.size(); i++) {
                if (message.isNamed(line, others.get(i))) {
                    return true;
                }
            }
            return false;
        }
    }

    private static List<HeaderName> names(String... names) {
        return Stream.of(names).map(HeaderName::of).toList();
    }

    private static String anyWritten(String word) {
        StringBuilder pattern = new StringBuilder();
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            pattern.append("(?:")
                    .append(c)
                    .append("|%")
                    .append(Integer.toHexString(c))
                    .append("|%")
                    .append(Integer.toHexString(Character.toUpperCase(c)))
                    .append(')');
        }
        return pattern.toString();
    }

    /** Is there anything in it that a peer outside may not say? */
    static boolean comesIn(SipMessage message) {
        return COMING.in(message);
    }

    /** Is there anything in it that a peer outside may not see? */
    static boolean leaves(SipMessage message) {
        return LEAVING.in(message);
    }

    static void removeComing(MessageDraft draft) {
        COMING.names.forEach(draft::remove);
    }

    /**
     * @param identity whether the asserted identity goes too
     */
    static void removeLeaving(MessageDraft draft, boolean identity) {
        for (HeaderName name : LEAVING.names) {
            if (identity || !name.equals(HeaderName.P_ASSERTED_IDENTITY)) {
                draft.remove(name);
            }
        }
    }

    /** An address without the word of a peer's that its number was verified. */
    static String unverified(String address) {
        int uri = address.startsWith("\"") ? closingQuote(address) : 0;
        if (address.indexOf(';', uri) < 0 && address.indexOf('%', uri) < 0) {
            return address;
        }
        return address.substring(0, uri) + VERSTAT.matcher(address.substring(uri)).replaceAll("");
    }

    /** What is shown as a name may say anything. */
    private static int closingQuote(String address) {
        int at = 1;
        while (at < address.length() && address.charAt(at) != '"') {
            at += address.charAt(at) == '\\' ? 2 : 1;
        }
        return Math.min(at, address.length());
    }
}
