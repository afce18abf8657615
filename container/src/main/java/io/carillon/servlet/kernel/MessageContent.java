package io.carillon.servlet.kernel;

import io.carillon.servlet.app.MailBodies;
import io.carillon.servlet.header.HeaderElements;
import io.carillon.servlet.header.ParameterText;
import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.WireText;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.MessageDraft;
import java.io.UnsupportedEncodingException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The body of a message and what its Content-Type says about it. Text types are Strings, multipart
 * is an object of JavaMail where the application brings it, everything else is bytes. Stateless;
 * with the turn held.
 */
final class MessageContent {
    private static final byte[] EMPTY = {};

    /** A line break of a folded header, and the blanks behind it. */
    private static final Pattern FOLD = Pattern.compile("\\r?\\n[ \\t]+");

    private MessageContent() {}

    /**
     * The body's bytes; empty when there is none. The API leaves the array to the caller: it is a
     * copy.
     */
    static byte[] bytes(MessageHeaders message) {
        MessageDraft written = message.draftOrNull();
        return written != null ? written.body() : message.below().body();
    }

    /** In bytes. */
    static int length(MessageHeaders message) {
        MessageDraft written = message.draftOrNull();
        return written != null ? written.bodyLength() : message.below().bodyLength();
    }

    /**
     * @throws IllegalArgumentException for what is no media type
     */
    static void setType(MessageHeaders message, String type) {
        String checked = checkType(type);
        message.checkWritable();
        message.put(HeaderName.CONTENT_TYPE, checked);
        MessageExtras own = message.extrasOrNull();
        if (own != null) {
            own.encoding = null;
        }
    }

    /**
     * A String for text types; for multipart types a {@code javax.mail.internet.MimeMultipart}
     * where the application's class loader has it and it can read the body; else bytes. Null when
     * there is no body. Each call reads the body anew: changes of what it returns go into the
     * message by {@link #set} alone.
     *
     * @param mail JavaMail of the application that has the message; null where none has it
     * @throws UnsupportedEncodingException when this Java does not know the charset of the text
     */
    static @Nullable Object get(MessageHeaders message, @Nullable MailBodies mail)
            throws UnsupportedEncodingException {
        if (length(message) == 0) {
            return null;
        }
        String type = message.text(HeaderName.CONTENT_TYPE);
        byte[] bytes = bytes(message);
        if (type == null) {
            return bytes;
        }
        if (isText(type)) {
            return decoded(bytes, charset(charsetName(message)));
        }
        Object multipart = mail != null && isMultipart(type) ? mail.read(bytes, type) : null;
        return multipart == null ? bytes : multipart;
    }

    /**
     * Bytes go with any type, Strings too (in the message's charset); with a text type any object
     * prints itself. With a multipart type a {@code javax.mail.Multipart} of the application writes
     * itself, and the type gets its boundary. Null content removes the body.
     *
     * @throws IllegalArgumentException for any other object, a multipart that cannot be written, or
     *     a malformed type
     */
    static void set(
            MessageHeaders message,
            @Nullable Object content,
            @Nullable String type,
            @Nullable MailBodies mail)
            throws UnsupportedEncodingException {
        if (content == null) {
            message.checkWritable();
            message.forget(HeaderName.CONTENT_TYPE);
            message.present().body(EMPTY, null);
            message.drop(HeaderName.CONTENT_TYPE);
            return;
        }
        String checked = checkType(type);
        message.checkWritable();
        if (content instanceof byte[] given) {
            setBody(message, given.clone(), checked);
        } else if (content instanceof CharSequence || isText(checked)) {
            setText(message, content.toString(), checked);
        } else if (mail != null && isMultipart(checked) && mail.isMultipart(content)) {
            setMultipart(message, content, checked, mail);
        } else {
            throw new IllegalArgumentException(
                    "only bytes and text can be the content of " + checked);
        }
    }

    private static void setMultipart(
            MessageHeaders message, Object multipart, String type, MailBodies mail) {
        MailBodies.Written written;
        try {
            written = mail.write(multipart);
        } catch (MailBodies.UnwritableException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        setBody(message, written.body(), withBoundary(type, written.boundary()));
    }

    /** The type as it is where it has that boundary; else with it in place of its own. */
    private static String withBoundary(String type, String boundary) {
        if (boundary.equals(parameterOf(type, "boundary"))) {
            return type;
        }
        StringBuilder full = new StringBuilder(type.length() + boundary.length() + 12);
        int at = HeaderElements.next(type, 0, ';');
        full.append(type, 0, at);
        while (at < type.length()) {
            int end = HeaderElements.next(type, at + 1, ';');
            if (parameterIn(type, at, end, "boundary") == null) {
                full.append(type, at, end);
            }
            at = end;
        }
        return full.append(";boundary=").append(ParameterText.quote(boundary)).toString();
    }

    private static void setText(MessageHeaders message, String text, String type)
            throws UnsupportedEncodingException {
        String chosen = encoding(message);
        String named = charsetOf(type);
        String full = type;
        if (named == null && chosen != null && isText(type)) {
            full = type + ";charset=" + chosen;
        }
        setBody(message, encoded(text, charset(chosen != null ? chosen : named)), full);
    }

    /** Text that is no UTF-8 although it should be leaves as it came ({@link WireText}). */
    private static String decoded(byte[] body, Charset charset) {
        return charset.equals(StandardCharsets.UTF_8)
                ? WireText.string(body, 0, body.length)
                : new String(body, charset);
    }

    private static byte[] encoded(String text, Charset charset) {
        return charset.equals(StandardCharsets.UTF_8)
                ? WireText.bytes(text)
                : text.getBytes(charset);
    }

    private static void setBody(MessageHeaders message, byte[] body, String type) {
        message.forget(HeaderName.CONTENT_TYPE);
        message.present().body(body, type);
    }

    /** The charset that was chosen, or is named by the type; null without. */
    static @Nullable String charsetName(MessageHeaders message) {
        String chosen = encoding(message);
        if (chosen != null) {
            return chosen;
        }
        String type = message.text(HeaderName.CONTENT_TYPE);
        return type == null ? null : charsetOf(type);
    }

    /**
     * Decides how text is read and written from now on; a body that is already there keeps its
     * bytes and its type.
     */
    static void setCharset(MessageHeaders message, String name)
            throws UnsupportedEncodingException {
        message.extras().encoding = charset(Objects.requireNonNull(name, "enc")).name();
    }

    private static @Nullable String encoding(MessageHeaders message) {
        MessageExtras own = message.extrasOrNull();
        return own == null ? null : own.encoding;
    }

    /** RFC 3261 7.4.1: "If the type is text and no charset parameter is present, UTF-8". */
    private static Charset charset(@Nullable String name) throws UnsupportedEncodingException {
        if (name == null) {
            return StandardCharsets.UTF_8;
        }
        try {
            return Charset.forName(name);
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            UnsupportedEncodingException unknown =
                    new UnsupportedEncodingException("charset " + name);
            unknown.initCause(e);
            throw unknown;
        }
    }

    private static boolean isText(String type) {
        return type.regionMatches(true, 0, "text/", 0, 5);
    }

    private static boolean isMultipart(String type) {
        return type.regionMatches(true, 0, "multipart/", 0, 10);
    }

    private static @Nullable String charsetOf(String type) {
        return parameterOf(type, "charset");
    }

    private static @Nullable String parameterOf(String type, String name) {
        int at = HeaderElements.next(type, 0, ';');
        while (at < type.length()) {
            int end = HeaderElements.next(type, at + 1, ';');
            String value = parameterIn(type, at, end, name);
            if (value != null) {
                return value;
            }
            at = end;
        }
        return null;
    }

    /**
     * Its value, when the parameter between the semicolon at {@code at} and the end is that one.
     */
    private static @Nullable String parameterIn(String type, int at, int end, String name) {
        int equal = type.indexOf('=', at);
        if (equal > 0
                && equal < end
                && Ascii.equalsIgnoreCase(type.substring(at + 1, equal).strip(), name)) {
            return ParameterText.unquote(type.substring(equal + 1, end).strip());
        }
        return null;
    }

    /**
     * RFC 3261 25.1: "media-type = m-type SLASH m-subtype *(SEMI m-parameter)". JavaMail folds what
     * it calls its type; RFC 3261 7.3.1: line break and the blanks behind it are one blank.
     */
    private static String checkType(@Nullable String given) {
        Objects.requireNonNull(given, "contentType");
        String type = given.indexOf('\n') < 0 ? given : FOLD.matcher(given).replaceAll(" ");
        HeaderElements.refuseLineBreak(type);
        int end = HeaderElements.next(type, 0, ';');
        int slash = type.indexOf('/');
        if (slash < 0
                || slash > end
                || !isToken(type, 0, slash)
                || !isToken(type, slash + 1, end)) {
            throw new IllegalArgumentException("a content type is type/subtype");
        }
        return type;
    }

    /** Blanks around it do not count. */
    private static boolean isToken(String text, int from, int to) {
        int start = from;
        int end = to;
        while (start < end && Character.isWhitespace(text.charAt(start))) {
            start++;
        }
        while (end > start && Character.isWhitespace(text.charAt(end - 1))) {
            end--;
        }
        for (int i = start; i < end; i++) {
            if (!Ascii.isToken(text.charAt(i))) {
                return false;
            }
        }
        return start < end;
    }
}
