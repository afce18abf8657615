package io.carillon.sip.edge;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Comparator.comparingInt;

import io.carillon.sip.address.AddressRange;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What must not be seen outside: networks and names. Immutable, any thread. */
public final class InternalHosts {
    /**
     * What nobody outside can reach: private networks (RFC 1918, RFC 4193), the shared one of
     * providers (RFC 6598), loopback and link-local ones.
     */
    public static final List<AddressRange> UNREACHABLE =
            List.of(
                    AddressRange.parse("10.0.0.0/8"),
                    AddressRange.parse("172.16.0.0/12"),
                    AddressRange.parse("192.168.0.0/16"),
                    AddressRange.parse("100.64.0.0/10"),
                    AddressRange.parse("127.0.0.0/8"),
                    AddressRange.parse("169.254.0.0/16"),
                    AddressRange.parse("::1/128"),
                    AddressRange.parse("fc00::/7"),
                    AddressRange.parse("fe80::/10"));

    /** Words of every SIP message: none of them can be the name of a host that is looked for. */
    private static final Set<String> WORDS =
            Set.of(
                    "sip",
                    "sips",
                    "tel",
                    "urn",
                    "udp",
                    "tcp",
                    "tls",
                    "ws",
                    "wss",
                    "sctp",
                    "user",
                    "phone",
                    "ip",
                    "in",
                    "ip4",
                    "ip6",
                    "audio",
                    "video",
                    "tag",
                    "branch",
                    "via",
                    "from",
                    "to",
                    "contact",
                    "route",
                    "call",
                    "callid",
                    "cseq",
                    "event",
                    "reason",
                    "text",
                    "cause",
                    "realm",
                    "digest",
                    "anonymous",
                    "invalid",
                    "transport",
                    "lr",
                    "rport",
                    "received",
                    "server",
                    "proxy",
                    "host",
                    "local",
                    "localhost",
                    "localdomain",
                    "com",
                    "net",
                    "org");

    private final AddressRange[] v4;
    private final AddressRange[] v6;
    private final byte[][][] namesByFirst = new byte[256][][];
    private final List<String> names;

    /**
     * @param networks addresses
     * @param names names of hosts and domains; what is below a domain is in it
     */
    public InternalHosts(Collection<AddressRange> networks, Collection<String> names) {
        v4 = networks.stream().filter(p -> p.bytes() == 4).toArray(AddressRange[]::new);
        v6 = networks.stream().filter(p -> p.bytes() == 16).toArray(AddressRange[]::new);
        Set<String> all = new HashSet<>();
        for (String name : names) {
            all.add(checked(name));
        }
        this.names = List.copyOf(all);
        // The longest first: of a.example and a.example.net the text may hold the second.
        for (String name :
                this.names.stream().sorted(comparingInt(String::length).reversed()).toList()) {
            byte[] bytes = name.getBytes(ISO_8859_1);
            add(bytes[0] & 0xFF, bytes);
            add(Character.toUpperCase(name.charAt(0)), bytes);
        }
    }

    private void add(int first, byte[] name) {
        byte[][] before = namesByFirst[first];
        if (before == null) {
            namesByFirst[first] = new byte[][] {name};
        } else if (before[before.length - 1] != name) {
            byte[][] more = Arrays.copyOf(before, before.length + 1);
            more[before.length] = name;
            namesByFirst[first] = more;
        }
    }

    /**
     * A name in the form in which it is looked for.
     *
     * @throws IllegalArgumentException when it cannot be looked for; the message says why
     */
    private static String checked(String name) {
        String text = name.toLowerCase(Locale.ROOT);
        while (text.startsWith(".") || text.startsWith("*")) {
            text = text.substring(1);
        }
        if (!searchable(text)) {
            throw new IllegalArgumentException(
                    "'"
                            + name
                            + "' cannot be looked for in messages: a name has 3 letters or more and is"
                            + " no word that messages consist of");
        }
        return text;
    }

    /** Can a name be told from the other words of a message? */
    public static boolean searchable(String name) {
        String text = name.toLowerCase(Locale.ROOT);
        return text.length() >= 3
                && !WORDS.contains(text)
                && text.chars()
                        .allMatch(c ->
                                (c >= 'a' && c <= 'z')
                                        || (c >= '0' && c <= '9')
                                        || c == '-'
                                        || c == '.'
                                        || c == '_')
                && text.charAt(0) != '-'
                && text.charAt(0) != '.';
    }

    /** The names, lower case. */
    public List<String> names() {
        return names;
    }

    /** Does that address, of 4 or 16 bytes, lie inside? */
    boolean contains(byte[] address) {
        for (AddressRange prefix : address.length == 4 ? v4 : v6) {
            if (prefix.contains(address)) {
                return true;
            }
        }
        return false;
    }

    /** Length of the name that begins there, in any case; 0 when none does. */
    int nameAt(byte[] b, int from, int to) {
        byte[][] candidates = namesByFirst[b[from] & 0xFF];
        if (candidates != null) {
            for (byte[] name : candidates) {
                if (begins(b, from, to, name)) {
                    return name.length;
                }
            }
        }
        return 0;
    }

    private static boolean begins(byte[] b, int from, int to, byte[] name) {
        if (to - from < name.length) {
            return false;
        }
        for (int i = 0; i < name.length; i++) {
            int c = b[from + i];
            if ((c >= 'A' && c <= 'Z' ? c + 0x20 : c) != name[i]) {
                return false;
            }
        }
        return to - from == name.length || !Mentions.alphanumeric(b[from + name.length]);
    }
}
