package io.carillon.servlet.route;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.ListIterator;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.TelURL;
import javax.servlet.sip.URI;
import org.jspecify.annotations.Nullable;

/**
 * The optional seventh field: conditions, separated by blanks, that all must hold. Immutable.
 *
 * <ul>
 *   <li>{@code DIRECTION=INBOUND|OUTBOUND}: the request came from the network, or an application of
 *       this container made it;
 *   <li>{@code REGEX=...}: found somewhere in the text of the request: start line, headers and
 *       body;
 *   <li>{@code HEADER_Name=...}: a regular expression found in a value of that header;
 *   <li>{@code USER=...}: the user part of the Request-URI (of a tel URL: its number) is this, or
 *       one of several with {@code |} between them, a character that no user part has. Carillon's
 *       own, and much cheaper than a REGEX.
 * </ul>
 */
final class DarCondition {
    static final DarCondition NONE = new DarCondition(null, Set.of(), null, List.of());

    private static final String[] NAMES = {"DIRECTION=", "REGEX=", "USER=", "HEADER_"};

    private enum Direction {
        INBOUND,
        OUTBOUND
    }

    private record HeaderPattern(String name, Pattern pattern) {}

    private final @Nullable Direction direction;
    private final Set<String> users;
    private final @Nullable Pattern regex;
    private final List<HeaderPattern> headers;

    private DarCondition(
            @Nullable Direction direction,
            Set<String> users,
            @Nullable Pattern regex,
            List<HeaderPattern> headers) {
        this.direction = direction;
        this.users = users;
        this.regex = regex;
        this.headers = List.copyOf(headers);
    }

    /**
     * @param fault takes the rule that a wrong field breaks, and throws
     */
    static DarCondition parse(String field, Consumer<String> fault) {
        Direction direction = null;
        Set<String> users = Set.of();
        Pattern regex = null;
        List<HeaderPattern> headers = new ArrayList<>();
        int at = skipBlanks(field, 0);
        while (at < field.length()) {
            int end = endOfCondition(field, at);
            String part = field.substring(at, end).strip();
            int equals = part.indexOf('=');
            String name = equals < 0 ? part : part.substring(0, equals);
            String value = equals < 0 ? "" : part.substring(equals + 1);
            if (value.isEmpty()) {
                fault.accept("condition '" + part + "' must be NAME=VALUE");
            }
            switch (name) {
                case "DIRECTION" -> direction = direction(value, fault);
                case "REGEX" -> regex = compile(value, fault);
                case "USER" -> users = users(value, fault);
                default -> {
                    if (!name.startsWith("HEADER_") || name.length() == "HEADER_".length()) {
                        fault.accept(
                                "unknown condition '"
                                        + name
                                        + "'; known are DIRECTION, REGEX, HEADER_name and USER");
                    }
                    headers.add(
                            new HeaderPattern(
                                    name.substring("HEADER_".length()), compile(value, fault)));
                }
            }
            at = skipBlanks(field, end);
        }
        return new DarCondition(direction, users, regex, headers);
    }

    /**
     * A value runs to the next blank with a known name behind it, so that an expression may hold
     * blanks.
     */
    private static int endOfCondition(String field, int from) {
        for (int i = from; i < field.length(); i++) {
            if (Character.isWhitespace(field.charAt(i))) {
                for (String name : NAMES) {
                    if (field.startsWith(name, i + 1)) {
                        return i;
                    }
                }
            }
        }
        return field.length();
    }

    private static int skipBlanks(String field, int from) {
        int at = from;
        while (at < field.length() && Character.isWhitespace(field.charAt(at))) {
            at++;
        }
        return at;
    }

    private static @Nullable Direction direction(String value, Consumer<String> fault) {
        for (Direction direction : Direction.values()) {
            if (direction.name().equalsIgnoreCase(value)) {
                return direction;
            }
        }
        fault.accept("DIRECTION must be INBOUND or OUTBOUND, not '" + value + "'");
        return null;
    }

    private static Set<String> users(String value, Consumer<String> fault) {
        Set<String> users = new LinkedHashSet<>();
        for (String user : value.split("\\|", -1)) {
            if (user.isBlank()) {
                fault.accept("USER=" + value + " has an empty name beside a '|'");
            }
            users.add(user.strip());
        }
        return users;
    }

    private static Pattern compile(String value, Consumer<String> fault) {
        try {
            return Pattern.compile(value);
        } catch (PatternSyntaxException e) {
            fault.accept("'" + value + "' is no regular expression: " + e.getDescription());
            throw e;
        }
    }

    boolean holds(SipServletRequest request) {
        if (direction != null && (direction == Direction.OUTBOUND) != madeHere(request)) {
            return false;
        }
        if (!users.isEmpty() && !names(request)) {
            return false;
        }
        if (regex != null && !regex.matcher(request.toString()).find()) {
            return false;
        }
        for (HeaderPattern header : headers) {
            if (!found(request, header)) {
                return false;
            }
        }
        return true;
    }

    /** Why it does not hold, for people; null when it does. */
    @Nullable String fault(SipServletRequest request) {
        if (direction != null && (direction == Direction.OUTBOUND) != madeHere(request)) {
            return "DIRECTION is " + (madeHere(request) ? "OUTBOUND" : "INBOUND");
        }
        if (!users.isEmpty() && !names(request)) {
            return "USER is "
                    + user(request.getRequestURI())
                    + ", not "
                    + String.join(" or ", users);
        }
        if (regex != null && !regex.matcher(request.toString()).find()) {
            return "REGEX " + regex.pattern() + " is not found in the request";
        }
        for (HeaderPattern header : headers) {
            if (!found(request, header)) {
                return "HEADER_"
                        + header.name()
                        + " has no value with "
                        + header.pattern().pattern();
            }
        }
        return null;
    }

    private boolean names(SipServletRequest request) {
        String user = user(request.getRequestURI());
        return user != null && users.contains(user);
    }

    /** Only a request which came over the wire has a first sender. */
    private static boolean madeHere(SipServletRequest request) {
        return request.getInitialRemoteAddr() == null;
    }

    private static @Nullable String user(URI uri) {
        if (uri instanceof SipURI sip) {
            return sip.getUser();
        }
        if (uri instanceof TelURL tel) {
            return tel.isGlobal() ? "+" + tel.getPhoneNumber() : tel.getPhoneNumber();
        }
        return null;
    }

    private static boolean found(SipServletRequest request, HeaderPattern header) {
        ListIterator<String> values = request.getHeaders(header.name());
        while (values.hasNext()) {
            if (header.pattern().matcher(values.next()).find()) {
                return true;
            }
        }
        return false;
    }
}
