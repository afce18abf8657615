package io.carillon.servlet.feature.identity;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One value of Identity (RFC 8224 section 4). Immutable.
 *
 * @param token full or compact form of the PASSporT
 * @param info where its certificate is
 * @param alg the algorithm; ES256 by default
 * @param ppt the PASSporT's type; null for the plain one
 */
public record IdentityHeader(String token, String info, String alg, @Nullable String ppt) {
    static final String ES256 = "ES256";
    private static final int MOST = 16_384;

    /**
     * Reads a value.
     *
     * @throws IllegalArgumentException when it is no such value
     */
    public static IdentityHeader parse(String text) {
        if (text.length() > MOST) {
            throw new IllegalArgumentException("an Identity of " + text.length() + " characters");
        }
        int end = text.indexOf(';');
        if (end < 0) {
            throw new IllegalArgumentException("an Identity without info");
        }
        Map<String, String> params = new TreeMap<>();
        for (int from = end + 1; from <= text.length(); ) {
            int to = paramEnd(text, from);
            param(text.substring(from, to).strip(), params);
            from = to + 1;
        }
        String info = params.get("info");
        if (info == null || info.length() < 3 || info.charAt(0) != '<' || !info.endsWith(">")) {
            throw new IllegalArgumentException("an Identity without info");
        }
        return new IdentityHeader(
                text.substring(0, end).strip(),
                info.substring(1, info.length() - 1),
                unquoted(params.getOrDefault("alg", ES256)),
                params.containsKey("ppt") ? unquoted(params.get("ppt")) : null);
    }

    private static int paramEnd(String text, int from) {
        boolean bracket = false;
        boolean quoted = false;
        for (int i = from; i < text.length(); i++) {
            switch (text.charAt(i)) {
                case '<' -> bracket = true;
                case '>' -> bracket = false;
                case '"' -> quoted = !quoted;
                case ';' -> {
                    if (!bracket && !quoted) {
                        return i;
                    }
                }
                default -> {}
            }
        }
        return text.length();
    }

    private static void param(String param, Map<String, String> params) {
        int equals = param.indexOf('=');
        String name = equals < 0 ? param : param.substring(0, equals).strip();
        String value = equals < 0 ? "" : param.substring(equals + 1).strip();
        if (params.put(name.toLowerCase(Locale.ROOT), value) != null) {
            throw new IllegalArgumentException("a parameter of Identity twice");
        }
    }

    private static String unquoted(String value) {
        return value.length() >= 2 && value.charAt(0) == '"' && value.endsWith("\"")
                ? value.substring(1, value.length() - 1)
                : value;
    }

    @Override
    public String toString() {
        return token + ";info=<" + info + ">;alg=" + alg + (ppt == null ? "" : ";ppt=" + ppt);
    }
}
