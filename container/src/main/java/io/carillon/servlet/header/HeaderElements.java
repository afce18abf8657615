package io.carillon.servlet.header;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.header.NameAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.servlet.sip.Address;
import javax.servlet.sip.Parameterable;
import javax.servlet.sip.ServletParseException;
import org.jspecify.annotations.Nullable;

/**
 * Small scans over header field values, and the way from API objects to ours. Stateless; any
 * thread.
 */
public final class HeaderElements {
    private HeaderElements() {}

    /**
     * Index of the next {@code separator} at or after {@code from} outside quotes and angle
     * brackets, else the end.
     */
    public static int next(String text, int from, char separator) {
        boolean quoted = false;
        boolean bracketed = false;
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quoted) {
                if (c == '\\') {
                    i++;
                } else if (c == '"') {
                    quoted = false;
                }
            } else if (bracketed) {
                bracketed = c != '>';
            } else if (c == separator) {
                return i;
            } else if (c == '"') {
                quoted = true;
            } else if (c == '<') {
                bracketed = true;
            }
        }
        return text.length();
    }

    /** The elements of a comma list, trimmed; empty ones left out. */
    public static List<String> split(String text) {
        List<String> parts = new ArrayList<>(4);
        int from = 0;
        while (from <= text.length()) {
            int end = next(text, from, ',');
            String part = text.substring(from, end).strip();
            if (!part.isEmpty()) {
                parts.add(part);
            }
            from = end + 1;
        }
        return parts;
    }

    /**
     * @throws IllegalArgumentException for CR, LF and NUL
     */
    public static void refuseLineBreak(String text) {
        if (Ascii.hasLineBreak(text)) {
            throw new IllegalArgumentException("CR, LF and NUL may not stand in a header");
        }
    }

    /** The element for an object that an application gave us, ours or anybody's. */
    public static LiveElement require(@Nullable Object given, boolean address) {
        Objects.requireNonNull(given, "value");
        if (address) {
            if (given instanceof Address value) {
                return given instanceof ServletAddress ours ? ours : foreign(value);
            }
            if (given instanceof Parameterable value) {
                return addressOf(value);
            }
            throw new IllegalArgumentException("this header takes addresses");
        }
        return switch (given) {
            case LiveElement ours -> ours;
            case Address value -> foreign(value);
            case Parameterable value -> foreign(value);
            default -> throw new IllegalArgumentException("neither an Address nor a Parameterable");
        };
    }

    private static ServletAddress foreign(Address value) {
        return new ServletAddress(Addresses.toNameAddress(value), Rights.FREE, null);
    }

    /** A Contact is {@code field-value *(;param)} as any other, when it is written as one. */
    private static ServletAddress addressOf(Parameterable value) {
        try {
            return new ServletAddress(Addresses.parse(value.toString()), Rights.FREE, null);
        } catch (ServletParseException e) {
            throw new IllegalArgumentException(
                    "this header takes addresses, and this is none: " + e.getMessage(), e);
        }
    }

    private static LiveElement foreign(Parameterable value) {
        try {
            return ServletParameterable.parse(value.toString(), Rights.FREE, null);
        } catch (ServletParseException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    public static LiveElement parse(
            String text, boolean address, Rights rights, @Nullable Owner owner)
            throws ServletParseException {
        if (!address) {
            return ServletParameterable.parse(text, rights, owner);
        }
        NameAddress value = Addresses.parse(text);
        return new ServletAddress(value, rights, owner);
    }
}
