package io.carillon.servlet.app;

import javax.servlet.sip.Address;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.TelURL;
import javax.servlet.sip.URI;
import org.jspecify.annotations.Nullable;

/**
 * A variable of the mapping language, as {@code request.from.uri.host}: its value in a request, or
 * null where the request has none. Immutable.
 */
@FunctionalInterface
interface RequestVariable {
    @Nullable String of(SipServletRequest request);

    /** Where an address comes from. */
    @FunctionalInterface
    interface AddressOf {
        @Nullable Address of(SipServletRequest request);
    }

    /** Where a URI comes from. */
    @FunctionalInterface
    interface UriOf {
        @Nullable URI of(SipServletRequest request);
    }

    /** What follows {@code .uri}. */
    @FunctionalInterface
    interface PartOf {
        @Nullable String of(URI uri);
    }

    String KNOWN =
            "request.method, request.uri, request.from, request.to; behind from and to: .display-name, .uri; "
                    + "behind uri: .scheme, .user, .host, .port, .tel, .param.NAME";

    /** The variable of that name, or null when the language has none. */
    static @Nullable RequestVariable parse(String name) {
        if (name.equals("request.method")) {
            return SipServletRequest::getMethod;
        }
        if (name.equals("request.uri") || name.startsWith("request.uri.")) {
            return uri(SipServletRequest::getRequestURI, name.substring("request.uri".length()));
        }
        if (name.equals("request.from") || name.startsWith("request.from.")) {
            return address(SipServletRequest::getFrom, name.substring("request.from".length()));
        }
        if (name.equals("request.to") || name.startsWith("request.to.")) {
            return address(SipServletRequest::getTo, name.substring("request.to".length()));
        }
        return null;
    }

    private static @Nullable RequestVariable address(AddressOf address, String rest) {
        if (rest.isEmpty()) {
            return request -> {
                Address value = address.of(request);
                return value == null ? null : value.toString();
            };
        }
        if (rest.equals(".display-name")) {
            return request -> {
                Address value = address.of(request);
                return value == null ? null : value.getDisplayName();
            };
        }
        if (rest.equals(".uri") || rest.startsWith(".uri.")) {
            UriOf uri =
                    request -> {
                        Address value = address.of(request);
                        return value == null ? null : value.getURI();
                    };
            return uri(uri, rest.substring(".uri".length()));
        }
        return null;
    }

    private static @Nullable RequestVariable uri(UriOf uri, String rest) {
        PartOf part = part(rest);
        if (part == null) {
            return null;
        }
        return request -> {
            URI value = uri.of(request);
            return value == null ? null : part.of(value);
        };
    }

    private static @Nullable PartOf part(String rest) {
        if (rest.startsWith(".param.") && rest.length() > ".param.".length()) {
            String parameter = rest.substring(".param.".length());
            return uri -> uri.getParameter(parameter);
        }
        return switch (rest) {
            case "" -> URI::toString;
            case ".scheme" -> URI::getScheme;
            case ".user" -> uri -> uri instanceof SipURI sip ? sip.getUser() : null;
            case ".host" -> uri -> uri instanceof SipURI sip ? sip.getHost() : null;
            case ".port" -> uri -> uri instanceof SipURI sip ? port(sip) : null;
            case ".tel" -> RequestVariable::tel;
            default -> null;
        };
    }

    /** JSR 289, mapping rules: a URI without a port has the default one of its transport. */
    private static String port(SipURI uri) {
        if (uri.getPort() > 0) {
            return Integer.toString(uri.getPort());
        }
        return uri.isSecure() || "tls".equalsIgnoreCase(uri.getTransportParam()) ? "5061" : "5060";
    }

    /**
     * A tel URL's number, or the user part of a SIP URI with {@code user=phone}; without visual
     * separators.
     */
    private static @Nullable String tel(URI uri) {
        if (uri instanceof TelURL tel) {
            String number = digits(tel.getPhoneNumber());
            return tel.isGlobal() && !number.startsWith("+") ? "+" + number : number;
        }
        if (uri instanceof SipURI sip
                && "phone".equalsIgnoreCase(sip.getUserParam())
                && sip.getUser() != null) {
            return digits(sip.getUser());
        }
        return null;
    }

    private static String digits(String number) {
        StringBuilder digits = new StringBuilder(number.length());
        for (int i = 0; i < number.length(); i++) {
            char c = number.charAt(i);
            if (c == ';') {
                break; // parameters of the telephone-subscriber
            }
            if ("-.()".indexOf(c) < 0) {
                digits.append(c);
            }
        }
        return digits.toString();
    }
}
