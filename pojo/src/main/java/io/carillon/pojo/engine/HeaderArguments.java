package io.carillon.pojo.engine;

import io.carillon.pojo.Header;
import io.carillon.pojo.engine.Handler.Argument;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.servlet.sip.Address;
import javax.servlet.sip.Parameterable;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.SipServletMessage;
import org.jspecify.annotations.Nullable;

/** Arguments that are header fields. */
final class HeaderArguments {
    private interface Converter {
        @Nullable Object read(SipServletMessage message, String name) throws ServletParseException;
    }

    private HeaderArguments() {}

    static Argument of(Header header, Type type) {
        String name = header.value();
        Class<?> raw = Types.rawOf(type);
        boolean optional = raw == Optional.class;
        boolean required = header.required() && !optional;
        if (raw.isPrimitive() && !required) {
            throw new IllegalArgumentException(
                    "a header that is not required may be null: use the wrapper of " + raw);
        }
        Converter converter = converter(optional ? Types.elementOf(type) : type);
        return dispatch -> {
            SipServletMessage message = dispatch.message();
            if (message == null) {
                throw new IllegalStateException("no message is handled");
            }
            Object value;
            try {
                value = converter.read(message, name);
            } catch (ServletParseException | IllegalArgumentException e) {
                if (required) {
                    // RFC 3261 21.4.1: "The Reason-Phrase SHOULD identify the syntax problem in
                    // more detail".
                    throw new UnsuitableMessageException(
                            400, "Malformed " + name + " Header", null);
                }
                value = null;
            }
            if (value == null && required) {
                throw new UnsuitableMessageException(400, "Missing " + name + " Header", null);
            }
            return optional ? Optional.ofNullable(value) : value;
        };
    }

    private static Converter converter(Type type) {
        Class<?> raw = Types.rawOf(type);
        if (raw == List.class) {
            return list(Types.rawOf(Types.elementOf(type)));
        }
        if (raw == Address.class) {
            return SipServletMessage::getAddressHeader;
        }
        if (raw == Parameterable.class) {
            return SipServletMessage::getParameterableHeader;
        }
        Reader reader = reader(raw);
        return (message, name) -> {
            String text = message.getHeader(name);
            return text == null ? null : reader.read(text.strip());
        };
    }

    private static Converter list(Class<?> element) {
        if (element == String.class) {
            return (message, name) -> filled(message.getHeaders(name));
        }
        if (element == Address.class) {
            return (message, name) -> filled(message.getAddressHeaders(name));
        }
        if (element == Parameterable.class) {
            return (message, name) -> filled(message.getParameterableHeaders(name));
        }
        throw new IllegalArgumentException(
                "a List of headers is one of String, Address or Parameterable, not of "
                        + element.getName());
    }

    private static @Nullable List<Object> filled(Iterator<?> values) {
        List<Object> all = new ArrayList<>();
        values.forEachRemaining(all::add);
        return all.isEmpty() ? null : List.copyOf(all);
    }

    private interface Reader {
        Object read(String text);
    }

    private static Reader reader(Class<?> type) {
        if (type == String.class) {
            return text -> text;
        }
        if (type == int.class || type == Integer.class) {
            return text -> Integer.valueOf(HeaderCondition.withoutParameters(text));
        }
        if (type == long.class || type == Long.class) {
            return text -> Long.valueOf(HeaderCondition.withoutParameters(text));
        }
        if (type.isEnum()) {
            return text -> constant(type, HeaderCondition.withoutParameters(text));
        }
        throw new IllegalArgumentException(
                "a header cannot become a "
                        + type.getName()
                        + ": String, int, long, an enum, Address, Parameterable, a List or an"
                        + " Optional can be");
    }

    /** By its name without regard to case, and with - for _. */
    private static Object constant(Class<?> type, String text) {
        String name = text.replace('-', '_').toUpperCase(Locale.ROOT);
        for (Object constant : type.getEnumConstants()) {
            if (((Enum<?>) constant).name().toUpperCase(Locale.ROOT).equals(name)) {
                return constant;
            }
        }
        throw new IllegalArgumentException(text);
    }
}
