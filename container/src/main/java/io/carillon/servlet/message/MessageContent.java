package io.carillon.servlet.message;

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
import org.jspecify.annotations.Nullable;

/**
 * The body of a message and what the headers say about it and about languages. Text types are
 * Strings, everything else is bytes; multipart is bytes too, for there is no JavaMail here. Owner:
 * the turn.
 */
abstract class MessageContent extends MessageHeaders {
    private static final byte[] EMPTY = {};

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
        checkType(type);
        checkWritable();
        put(HeaderName.CONTENT_TYPE, type);
        Seldom own = seldomOrNull();
        if (own != null) {
            own.encoding = null;
        }
    }

    /**
     * A String for text types, else bytes; null when there is no body.
     *
     * @throws UnsupportedEncodingException when this Java does not know the charset of the text
     */
    public final @Nullable Object getContent() throws UnsupportedEncodingException {
        if (getContentLength() == 0) {
            return null;
        }
        String type = getContentType();
        return type != null && isText(type) ? decoded(bytes(), charset()) : bytes();
    }

    /**
     * Bytes go with any type, Strings too (in the message's charset); with a text type any object
     * prints itself. Null content removes the body.
     *
     * @throws IllegalArgumentException for an object that is neither, or a malformed type
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
        } else {
            throw new IllegalArgumentException(
                    "only bytes and text can be the content of " + checked);
        }
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
        Seldom own = seldomOrNull();
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

    private static @Nullable String charsetOf(String type) {
        int at = Elements.next(type, 0, ';');
        while (at < type.length()) {
            int end = Elements.next(type, at + 1, ';');
            int equal = type.indexOf('=', at);
            if (equal > 0
                    && equal < end
                    && Ascii.equalsIgnoreCase(type.substring(at + 1, equal).strip(), "charset")) {
                return ParameterText.unquote(type.substring(equal + 1, end).strip());
            }
            at = end;
        }
        return null;
    }

    /** RFC 3261 25.1: "media-type = m-type SLASH m-subtype *(SEMI m-parameter)". */
    private static String checkType(@Nullable String type) {
        Objects.requireNonNull(type, "contentType");
        Elements.refuseLineBreak(type);
        int end = Elements.next(type, 0, ';');
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
