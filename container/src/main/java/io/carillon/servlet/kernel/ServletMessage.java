package io.carillon.servlet.kernel;

import io.carillon.servlet.app.MailBodies;
import io.carillon.servlet.bytes.ByReference;
import io.carillon.servlet.header.HeaderElements;
import io.carillon.servlet.header.HeaderRules;
import io.carillon.servlet.header.Rights;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.TlsPeer;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipMessage;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.io.UnsupportedEncodingException;
import java.security.Principal;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.Locale;
import java.util.Objects;
import javax.servlet.sip.Address;
import javax.servlet.sip.Parameterable;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.SipServletMessage;
import org.jspecify.annotations.Nullable;

/**
 * What requests and responses share as applications see them: the API's rules over {@link
 * MessageHeaders} and {@link MessageContent}, and what belongs to a message without standing in it:
 * the way it came, who sent it, attributes. Owner: the turn of the application session; not thread
 * safe. Session, sending and commitment are the subclasses' business.
 */
public abstract class ServletMessage extends MessageHeaders
        implements SipServletMessage, ByReference {
    /** A received message, or one that was already printed. */
    protected ServletMessage(SipMessage message) {
        super(message);
    }

    /** A message made here; the overlay passes to this object. */
    protected ServletMessage(MessageDraft draft) {
        super(draft);
    }

    /** Where the message came from; null when it was made here. */
    protected abstract @Nullable Hop receivedFrom();

    /**
     * Where the container got the message from, whatever applications it passed; null when it was
     * made here.
     */
    protected @Nullable Hop initiallyReceivedFrom() {
        return receivedFrom();
    }

    /** JavaMail of the application that has the message; null where none has it yet. */
    abstract @Nullable MailBodies mailBodies();

    /** Status of a response, 0 of a request. */
    protected abstract int statusOrZero();

    @Override
    public abstract String getMethod();

    @Override
    public abstract boolean isCommitted();

    /**
     * May nobody write to it any more? What answers a request on the shard commits it while a
     * handler is at work, which may still write.
     */
    protected boolean closed() {
        return isCommitted();
    }

    // ---- headers as text

    @Override
    public final @Nullable String getHeader(String name) {
        return text(HeaderRules.named(name));
    }

    @Override
    public final ListIterator<String> getHeaders(String name) {
        HeaderName header = HeaderRules.named(name);
        return new HeaderIterator(this, header, texts(header));
    }

    @Override
    public final Iterator<String> getHeaderNames() {
        return Collections.unmodifiableList(names()).iterator();
    }

    @Override
    public final void setHeader(String name, String value) {
        HeaderName header = HeaderRules.named(name);
        Objects.requireNonNull(value, "value");
        checkText(header, value);
        if (!HeaderRules.isComputed(header)) {
            put(header, value);
        }
    }

    @Override
    public final void addHeader(String name, String value) {
        HeaderName header = HeaderRules.named(name);
        Objects.requireNonNull(value, "value");
        checkText(header, value);
        if (HeaderRules.isComputed(header)) {
            return;
        }
        if (header.single()) {
            put(header, value);
        } else {
            putLast(header, value);
        }
    }

    @Override
    public final void removeHeader(String name) {
        HeaderName header = HeaderRules.named(name);
        checkApplicationWrite(header);
        if (!HeaderRules.isComputed(header) && has(header)) {
            drop(header);
        }
    }

    private void checkText(HeaderName name, String value) {
        HeaderElements.refuseLineBreak(value);
        checkApplicationWrite(name);
    }

    @Override
    final void checkWritable() {
        if (closed()) {
            throw new IllegalStateException("the message is committed");
        }
    }

    /**
     * To be called when the status changed: what an application may do to Contact depends on it.
     */
    protected final void statusChanged() {
        forget(HeaderName.CONTACT);
    }

    @Override
    final Rights rightsOf(HeaderName name) {
        return HeaderRules.rights(name, getMethod(), statusOrZero());
    }

    // ---- headers as objects

    @Override
    public final Address getFrom() {
        return HeaderObjects.from(
                this, fromValue(), HeaderRules.mayRename(getMethod(), statusOrZero()));
    }

    @Override
    public final Address getTo() {
        return HeaderObjects.to(
                this, toValue(), HeaderRules.mayRename(getMethod(), statusOrZero()));
    }

    /** From as it stands now. */
    public final NameAddress fromValue() {
        MessageDraft written = draftOrNull();
        return written == null ? below().from() : written.from();
    }

    /** To as it stands now. */
    public final NameAddress toValue() {
        MessageDraft written = draftOrNull();
        return written == null ? below().to() : written.to();
    }

    @Override
    public final @Nullable Address getAddressHeader(String name) throws ServletParseException {
        HeaderName header = HeaderRules.named(name);
        if (header.equals(HeaderName.FROM)) {
            return getFrom();
        }
        if (header.equals(HeaderName.TO)) {
            return getTo();
        }
        return (Address) HeaderObjects.first(this, header, true);
    }

    @Override
    public final ListIterator<Address> getAddressHeaders(String name) throws ServletParseException {
        return HeaderObjects.iterator(this, HeaderRules.named(name), true, Address.class);
    }

    @Override
    public final @Nullable Parameterable getParameterableHeader(String name)
            throws ServletParseException {
        HeaderName header = HeaderRules.named(name);
        return HeaderRules.isAddress(header)
                ? getAddressHeader(name)
                : HeaderObjects.first(this, header, false);
    }

    @Override
    public final ListIterator<? extends Parameterable> getParameterableHeaders(String name)
            throws ServletParseException {
        HeaderName header = HeaderRules.named(name);
        return HeaderObjects.iterator(
                this, header, HeaderRules.isAddress(header), Parameterable.class);
    }

    @Override
    public final void setAddressHeader(String name, Address address) {
        HeaderObjects.set(this, HeaderRules.named(name), address, true);
    }

    @Override
    public final void addAddressHeader(String name, Address address, boolean first) {
        HeaderObjects.add(this, HeaderRules.named(name), address, true, first);
    }

    @Override
    public final void setParameterableHeader(String name, Parameterable value) {
        HeaderName header = HeaderRules.named(name);
        HeaderObjects.set(this, header, value, HeaderRules.isAddress(header));
    }

    @Override
    public final void addParameterableHeader(String name, Parameterable value, boolean first) {
        HeaderName header = HeaderRules.named(name);
        HeaderObjects.add(this, header, value, HeaderRules.isAddress(header), first);
    }

    @Override
    public final HeaderForm getHeaderForm() {
        MessageExtras own = extrasOrNull();
        return own == null ? HeaderForm.DEFAULT : own.headerForm;
    }

    @Override
    public final void setHeaderForm(HeaderForm form) {
        Objects.requireNonNull(form, "form");
        checkWritable();
        extras().headerForm = form;
        present().headerForm(io.carillon.sip.message.HeaderForm.valueOf(form.name()));
    }

    @Override
    public final String getCallId() {
        if (draftOrNull() == null) {
            return below().callId();
        }
        return Objects.requireNonNullElse(text(HeaderName.CALL_ID), "");
    }

    /** RFC 3261 7.1: "this is always SIP/2.0". */
    @Override
    public final String getProtocol() {
        return "SIP/2.0";
    }

    @Override
    public final int getExpires() {
        String value = text(HeaderName.EXPIRES);
        if (value == null) {
            return -1;
        }
        return HeaderRules.seconds(value);
    }

    /** A negative value removes the header: the grammar has no negative delta-seconds. */
    @Override
    public final void setExpires(int seconds) {
        if (seconds < 0) {
            removeHeader("Expires");
        } else {
            setHeader("Expires", Integer.toString(seconds));
        }
    }

    // ---- content

    @Override
    public final byte @Nullable [] getRawContent() {
        return getContentLength() == 0 ? null : MessageContent.bytes(this);
    }

    @Override
    public final int getContentLength() {
        return MessageContent.length(this);
    }

    /** Content-Length is what the body is; a wrong number has no effect. */
    @Override
    public final void setContentLength(int length) {
        if (length < 0) {
            throw new IllegalArgumentException("a length is not negative");
        }
        checkWritable();
    }

    @Override
    public final @Nullable String getContentType() {
        return text(HeaderName.CONTENT_TYPE);
    }

    @Override
    public final void setContentType(String type) {
        MessageContent.setType(this, type);
    }

    @Override
    public final @Nullable Object getContent() throws UnsupportedEncodingException {
        return MessageContent.get(this, mailBodies());
    }

    @Override
    public final void setContent(@Nullable Object content, @Nullable String type)
            throws UnsupportedEncodingException {
        MessageContent.set(this, content, type, mailBodies());
    }

    @Override
    public final @Nullable String getCharacterEncoding() {
        return MessageContent.charsetName(this);
    }

    @Override
    public void setCharacterEncoding(String name) throws UnsupportedEncodingException {
        MessageContent.setCharset(this, name);
    }

    // ---- languages

    @Override
    public final @Nullable Locale getContentLanguage() {
        String tag = text(HeaderName.CONTENT_LANGUAGE);
        return tag == null ? null : Locale.forLanguageTag(tag);
    }

    /** Null removes Content-Language. The charset stays as it is: it follows from no language. */
    @Override
    public final void setContentLanguage(@Nullable Locale locale) {
        Languages.set(this, HeaderName.CONTENT_LANGUAGE, locale);
    }

    @Override
    public final Locale getAcceptLanguage() {
        return getAcceptLanguages().next();
    }

    /** Most wanted first; only the server's own locale when nothing is said. */
    @Override
    public final Iterator<Locale> getAcceptLanguages() {
        List<Locale> locales = Languages.locales(texts(HeaderName.ACCEPT_LANGUAGE));
        return (locales.isEmpty() ? List.of(Locale.getDefault()) : List.copyOf(locales)).iterator();
    }

    @Override
    public final void setAcceptLanguage(@Nullable Locale locale) {
        Languages.set(this, HeaderName.ACCEPT_LANGUAGE, locale);
    }

    @Override
    public final void addAcceptLanguage(Locale locale) {
        Objects.requireNonNull(locale, "locale");
        checkWritable();
        putLast(
                HeaderName.ACCEPT_LANGUAGE,
                Languages.lessThan(texts(HeaderName.ACCEPT_LANGUAGE), locale));
    }

    // ---- the way it came

    @Override
    public final @Nullable String getRemoteAddr() {
        return MessageContext.remoteAddress(receivedFrom());
    }

    @Override
    public final int getRemotePort() {
        return MessageContext.remotePort(receivedFrom());
    }

    @Override
    public final @Nullable String getLocalAddr() {
        return MessageContext.localAddress(receivedFrom());
    }

    @Override
    public final int getLocalPort() {
        return MessageContext.localPort(receivedFrom());
    }

    @Override
    public final @Nullable String getTransport() {
        return MessageContext.transport(receivedFrom());
    }

    @Override
    public final @Nullable String getInitialRemoteAddr() {
        Hop hop = initiallyReceivedFrom();
        return hop == null ? null : hop.remoteHost();
    }

    @Override
    public final int getInitialRemotePort() {
        Hop hop = initiallyReceivedFrom();
        return hop == null ? -1 : hop.remote().getPort();
    }

    @Override
    public final @Nullable String getInitialTransport() {
        return MessageContext.transport(initiallyReceivedFrom());
    }

    @Override
    public boolean isSecure() {
        return MessageContext.secure(receivedFrom());
    }

    /** Who is at the other end of the TLS connection that it came by; null without one. */
    public final @Nullable TlsPeer tlsPeer() {
        return MessageContext.tlsPeer(initiallyReceivedFrom());
    }

    /** Null but for a request whose sender the security gate knows. */
    @Override
    public @Nullable String getRemoteUser() {
        return null;
    }

    /** Null, as {@link #getRemoteUser}. */
    @Override
    public @Nullable Principal getUserPrincipal() {
        return null;
    }

    /** False: who is not authenticated has no role. */
    @Override
    public boolean isUserInRole(String role) {
        return false;
    }

    // ---- attributes

    @Override
    public final @Nullable Object getAttribute(String name) {
        Objects.requireNonNull(name, "name");
        return MessageContext.attribute(extrasOrNull(), tlsPeer(), name);
    }

    @Override
    public final Enumeration<String> getAttributeNames() {
        return MessageContext.attributeNames(extrasOrNull(), tlsPeer());
    }

    /** Null removes the attribute, as {@code ServletRequest} has it. */
    @Override
    public final void setAttribute(String name, @Nullable Object value) {
        Objects.requireNonNull(name, "name");
        if (value == null) {
            removeAttribute(name);
        } else {
            extras().attribute(name, value);
        }
    }

    @Override
    public final void removeAttribute(String name) {
        Objects.requireNonNull(name, "name");
        MessageExtras own = extrasOrNull();
        if (own != null) {
            own.removeAttribute(name);
        }
    }

    private void writeObject(ObjectOutputStream out) throws NotSerializableException {
        throw ByReference.refused(this);
    }
}
