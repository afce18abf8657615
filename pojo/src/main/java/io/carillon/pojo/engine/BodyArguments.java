package io.carillon.pojo.engine;

import io.carillon.pojo.Body;
import io.carillon.pojo.engine.Handler.Argument;
import java.io.IOException;
import java.io.UnsupportedEncodingException;
import java.lang.reflect.Type;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import javax.servlet.sip.SipServletMessage;
import org.jspecify.annotations.Nullable;

/** Arguments that are the body of a message. */
final class BodyArguments {
    private BodyArguments() {}

    static Argument of(Body body, Type type) {
        Class<?> raw = Types.rawOf(type);
        boolean optional = raw == Optional.class;
        boolean required = body.required() && !optional;
        Class<?> wanted = optional ? Types.rawOf(Types.elementOf(type)) : raw;
        if (wanted.isPrimitive()) {
            throw new IllegalArgumentException("a body cannot become a " + wanted);
        }
        String mediaType = body.type();
        return dispatch -> {
            SipServletMessage message = dispatch.message();
            if (message == null) {
                throw new IllegalStateException("no message is handled");
            }
            Object value = null;
            if (message.getContentLength() > 0) {
                checkType(mediaType, message);
                value = read(message, wanted);
            } else if (required) {
                throw new UnsuitableMessageException(400, "Missing Body", null);
            }
            return optional ? Optional.ofNullable(value) : value;
        };
    }

    private static void checkType(String mediaType, SipServletMessage message)
            throws UnsuitableMessageException {
        String type = message.getContentType();
        if (!mediaType.isEmpty()
                && (type == null
                        || !HeaderCondition.withoutParameters(type).equalsIgnoreCase(mediaType))) {
            throw new UnsuitableMessageException(415, "Unsupported Media Type", mediaType);
        }
    }

    private static @Nullable Object read(SipServletMessage message, Class<?> wanted)
            throws IOException, UnsuitableMessageException {
        if (wanted == byte[].class) {
            return message.getRawContent();
        }
        if (wanted == String.class) {
            return new String(message.getRawContent(), charset(message));
        }
        Object content;
        try {
            content = message.getContent();
        } catch (UnsupportedEncodingException e) {
            throw new UnsuitableMessageException(415, "Unsupported Charset", null);
        }
        if (!wanted.isInstance(content)) {
            throw new UnsuitableMessageException(415, "Unsupported Media Type", null);
        }
        return content;
    }

    /** RFC 3261 section 7.4.1: UTF-8 unless Content-Type says otherwise. */
    private static Charset charset(SipServletMessage message) throws UnsuitableMessageException {
        String encoding = message.getCharacterEncoding();
        try {
            return encoding == null ? StandardCharsets.UTF_8 : Charset.forName(encoding);
        } catch (IllegalArgumentException e) {
            throw new UnsuitableMessageException(415, "Unsupported Charset", null);
        }
    }
}
