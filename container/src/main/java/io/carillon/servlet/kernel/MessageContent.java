package io.carillon.servlet.kernel;

import io.carillon.servlet.app.MailBodies;
import io.carillon.servlet.header.HeaderElements;
import io.carillon.servlet.header.ParameterText;
import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.WireText;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipMessage;
import java.io.UnsupportedEncodingException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The body of a message and what the headers say about it and about languages. Text types are
 * Strings, multipart is an object of JavaMail where the application brings it, everything else is
 * bytes. Owner: the turn.
 */
abstract class MessageContent extends MessageHeaders {
    private static final byte[] EMPTY = {};

    /** A line break of a folded header, and the blanks behind it. */
    private static final Pattern FOLD = Pattern.compile("\\r?\\n[ \\t]+");

    MessageContent(SipMessage message) {
        super(message);
    }

    MessageContent(MessageDraft draft) {
        super(draft);
    }

    /**
     * The body's bytes; empty when there is none. The API leaves the array to the caller: it is a
     * copy.
     */
    private byte[] bytes() {
        MessageDraft written = draftOrNull();
        return written != null ? written.body() : below().body();
    }

    public final byte @Nullable [] getRawContent() {
        return getContentLength() == 0 ? null : bytes();
    }

    public final int getContentLength() {
        MessageDraft written = draftOrNull();
        return written != null ? written.bodyLength() : below().bodyLength();
    }

    /** Content-Length is what the body is; a wrong number has no effect. */
    public final void setContentLength(int length) {
        if (length < 0) {
            throw new IllegalArgumentException("a length is not negative");
        }
        checkWritable();
    }

    public final @Nullable String getContentType() {
        return text(HeaderName.CONTENT_TYPE);
    }

    public final void setContentType(String type) {
        String checked = checkType(type);
        checkWritable();
        put(HeaderName.CONTENT_TYPE, checked);
        MessageExtras own = seldomOrNull();
        if (own != null) {
            own.encoding = null;
        }
    }

    /** JavaMail of the application that has the message; null where none has it yet. */
    @Nullable MailBodies mailBodies() {
        return null;
    }

    /**
     * A String for text types; for multipart types a {@code javax.mail.internet.MimeMultipart}
     * where the application's class loader has it and it can read the body; else bytes. Null when
     * there is no body. Each call reads the body anew: changes of what it returns go into the
     * message by {@link #setContent} alone.
     *
     * @throws UnsupportedEncodingException when this Java does not know the charset of the text
     */
    public final @Nullable Object getContent() throws UnsupportedEncodingException {
        if (getContentLength() == 0) {
            return null;
        }
        String type = getContentType();
        if (type == null) {
            return bytes();
        }
        if (isText(type)) {
            return decoded(bytes(), charset());
        }
        MailBodies mail = isMultipart(type) ? mailBodies() : null;
        Object multipart = mail == null ? null : mail.read(bytes(), type);
        return multipart == null ? bytes() : multipart;
    }

    /**
     * Bytes go with any type, Strings too (in the message's charset); with a text type any object
     * prints itself. With a multipart type a {@code javax.mail.Multipart} of the application writes
     * itself, and the type gets its boundary. Null content removes the body.
     *
     * @throws IllegalArgumentException for any other object, a multipart that cannot be written, or
     *     a malformed type
     */
    public final void setContent(@Nullable Object content, @Nullable String type)
            throws UnsupportedEncodingException {
        if (content == null) {
            checkWritable();
            forget(HeaderName.CONTENT_TYPE);
            present().body(EMPTY, null);
            drop(HeaderName.CONTENT_TYPE);
            return;
        }
        String checked = checkType(type);
        checkWritable();
        if (content instanceof byte[] given) {
            setBody(given.clone(), checked);
        } else if (content instanceof CharSequence || isText(checked)) {
            setText(content.toString(), checked);
        } else if (isMultipart(checked) && isMultipartObject(content)) {
            setMultipart(content, checked);
        } else {
            throw new IllegalArgumentException(
                    "only bytes and text can be the content of " + checked);
        }
    }

    private boolean isMultipartObject(Object content) {
        MailBodies mail = mailBodies();
        return mail != null && mail.isMultipart(content);
    }

    private void setMultipart(Object multipart, String type) {
        MailBodies mail = Objects.requireNonNull(mailBodies());
        MailBodies.Written written;
        try {
            written = mail.write(multipart);
        } catch (MailBodies.UnwritableException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        setBody(written.body(), withBoundary(type, written.boundary()));
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

    private void setText(String text, String type) throws UnsupportedEncodingException {
        String chosen = encoding();
        String named = charsetOf(type);
        String full = type;
        if (named == null && chosen != null && isText(type)) {
            full = type + ";charset=" + chosen;
        }
        setBody(encoded(text, charset(chosen != null ? chosen : named)), full);
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

    private void setBody(byte[] body, String type) {
        forget(HeaderName.CONTENT_TYPE);
        present().body(body, type);
    }

    public final @Nullable String getCharacterEncoding() {
        String chosen = encoding();
        if (chosen != null) {
            return chosen;
        }
        String type = getContentType();
        return type == null ? null : charsetOf(type);
    }

    /**
     * Decides how text is read and written from now on; a body that is already there keeps its
     * bytes and its type.
     */
    public void setCharacterEncoding(String name) throws UnsupportedEncodingException {
        seldom().encoding = charset(Objects.requireNonNull(name, "enc")).name();
    }

    private @Nullable String encoding() {
        MessageExtras own = seldomOrNull();
        return own == null ? null : own.encoding;
    }

    private Charset charset() throws UnsupportedEncodingException {
        return charset(getCharacterEncoding());
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

    // ---- languages

    public final @Nullable Locale getContentLanguage() {
        String tag = text(HeaderName.CONTENT_LANGUAGE);
        return tag == null ? null : Locale.forLanguageTag(tag);
    }

    /** Null removes Content-Language. The charset stays as it is: it follows from no language. */
    public final void setContentLanguage(@Nullable Locale locale) {
        checkWritable();
        if (locale == null) {
            drop(HeaderName.CONTENT_LANGUAGE);
        } else {
            put(HeaderName.CONTENT_LANGUAGE, locale.toLanguageTag());
        }
    }

    public final Locale getAcceptLanguage() {
        return getAcceptLanguages().next();
    }

    /** Most wanted first; only the server's own locale when nothing is said. */
    public final Iterator<Locale> getAcceptLanguages() {
        List<Locale> locales = Languages.locales(texts(HeaderName.ACCEPT_LANGUAGE));
        return (locales.isEmpty() ? List.of(Locale.getDefault()) : List.copyOf(locales)).iterator();
    }

    public final void setAcceptLanguage(@Nullable Locale locale) {
        checkWritable();
        if (locale == null) {
            drop(HeaderName.ACCEPT_LANGUAGE);
        } else {
            put(HeaderName.ACCEPT_LANGUAGE, locale.toLanguageTag());
        }
    }

    public final void addAcceptLanguage(Locale locale) {
        Objects.requireNonNull(locale, "locale");
        checkWritable();
        putLast(
                HeaderName.ACCEPT_LANGUAGE,
                Languages.lessThan(texts(HeaderName.ACCEPT_LANGUAGE), locale));
    }
}
