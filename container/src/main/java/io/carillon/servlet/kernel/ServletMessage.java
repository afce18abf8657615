package io.carillon.servlet.kernel;

import io.carillon.servlet.bytes.ByReference;
import io.carillon.servlet.header.HeaderElements;
import io.carillon.servlet.header.HeaderRules;
import io.carillon.servlet.header.LiveElement;
import io.carillon.servlet.header.Rights;
import io.carillon.servlet.header.ServletAddress;
import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipMessage;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.Objects;
import javax.servlet.sip.Address;
import javax.servlet.sip.Parameterable;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.SipServletMessage;
import org.jspecify.annotations.Nullable;

/**
 * What requests and responses share as applications see them: the API's rules over {@link
 * MessageHeaders}. Owner: the turn of the application session; not thread safe. Session, sending
 * and commitment are the subclasses' business.
 */
public abstract class ServletMessage extends MessageContext
        implements SipServletMessage, ByReference {
    /** A received message, or one that was already printed. */
    protected ServletMessage(SipMessage message) {
        super(message);
    }

    /** A message made here; the overlay passes to this object. */
    protected ServletMessage(MessageDraft draft) {
        super(draft);
    }

    /** Status of a response, 0 of a request. */
    protected abstract int statusOrZero();

    @Override
    public abstract String getMethod();

    @Override
    public abstract boolean isCommitted();

    // ---- headers as text

    @Override
    public final @Nullable String getHeader(String name) {
        return text(header(name));
    }

    @Override
    public final ListIterator<String> getHeaders(String name) {
        HeaderName header = header(name);
        return new HeaderIterator(this, header, texts(header));
    }

    @Override
    public final Iterator<String> getHeaderNames() {
        return Collections.unmodifiableList(names()).iterator();
    }

    @Override
    public final void setHeader(String name, String value) {
        HeaderName header = header(name);
        Objects.requireNonNull(value, "value");
        checkText(header, value);
        if (!isContentLength(header)) {
            put(header, value);
        }
    }

    @Override
    public final void addHeader(String name, String value) {
        HeaderName header = header(name);
        Objects.requireNonNull(value, "value");
        checkText(header, value);
        if (isContentLength(header)) {
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
        HeaderName header = header(name);
        checkApplicationWrite(header);
        if (!isContentLength(header) && has(header)) {
            drop(header);
        }
    }

    private static HeaderName header(String name) {
        return HeaderName.of(Objects.requireNonNull(name, "name"));
    }

    /**
     * Content-Length is right in whatever we print; what applications say about it has no effect.
     */
    private static boolean isContentLength(HeaderName name) {
        return name.equals(HeaderName.CONTENT_LENGTH);
    }

    private void checkText(HeaderName name, String value) {
        HeaderElements.refuseLineBreak(value);
        checkApplicationWrite(name);
    }

    private void checkApplicationWrite(HeaderName name) {
        if (isSystem(name)) {
            throw new IllegalArgumentException(name.text() + " is a system header");
        }
        checkWritable();
    }

    final void checkIterator(HeaderName name) {
        if (isSystem(name)) {
            throw new IllegalStateException(name.text() + " is a system header");
        }
        checkWritable();
    }

    @Override
    final void checkWritable() {
        if (isCommitted()) {
            throw new IllegalStateException("the message is committed");
        }
    }

    final void rewrite(HeaderName name, List<String> values) {
        if (values.isEmpty()) {
            drop(name);
            return;
        }
        put(name, values.get(0));
        for (int i = 1; i < values.size(); i++) {
            putLast(name, values.get(i));
        }
    }

    /**
     * To be called when the status changed: what an application may do to Contact depends on it.
     */
    protected final void statusChanged() {
        forget(HeaderName.CONTACT);
    }

    /** Does the container manage this header in this message? */
    final boolean isSystem(HeaderName name) {
        return (HeaderRules.isSystem(name) && !isPathOfRegistrar(name))
                || (name.equals(HeaderName.CONTACT) && isContactManaged());
    }

    /**
     * RFC 3327 5.3: "The registrar copies the Path header field values into a Path header field in
     * the successful (200 class) REGISTER response". Nobody but the application knows them.
     */
    private boolean isPathOfRegistrar(HeaderName name) {
        return name.equals(HeaderName.PATH)
                && statusOrZero() >= 200
                && getMethod().equals("REGISTER");
    }

    /**
     * Contact is the application's in REGISTER, 3xx, 485 and in a 200 to OPTIONS; elsewhere it is
     * the container's.
     */
    private boolean isContactManaged() {
        int status = statusOrZero();
        String method = getMethod();
        boolean free =
                method.equals("REGISTER")
                        || (status >= 300 && status < 400)
                        || status == 485
                        || (status == 200 && method.equals("OPTIONS"));
        return !free;
    }

    @Override
    final Rights rightsOf(HeaderName name) {
        if (HeaderRules.isSystem(name) && !isPathOfRegistrar(name)) {
            return Rights.READ_ONLY;
        }
        return isSystem(name) ? Rights.CONTACT : Rights.FREE;
    }

    // ---- headers as objects

    @Override
    public final Address getFrom() {
        NameAddress present = fromValue();
        HandedOut given = views();
        ServletAddress view = party(given.from, given.agreedFrom, present);
        given.from = view;
        given.agreedFrom = view.value();
        return view;
    }

    @Override
    public final Address getTo() {
        NameAddress present = toValue();
        HandedOut given = views();
        ServletAddress view = party(given.to, given.agreedTo, present);
        given.to = view;
        given.agreedTo = view.value();
        return view;
    }

    /** The object of From or To that was handed out before; another one where there is none. */
    private ServletAddress party(
            @Nullable ServletAddress known, @Nullable NameAddress agreed, NameAddress present) {
        if (known == null) {
            return mayRenameParties()
                    ? new ServletAddress(present, Rights.PARTY, this::beforeLiveChange)
                    : new ServletAddress(present, Rights.READ_ONLY, null);
        }
        if (!present.equals(agreed)) {
            known.reset(present);
        }
        return known;
    }

    /**
     * May an application change From and To, but for their tags? In requests: a response repeats
     * those of its request (RFC 3261 8.2.6.2), as ACK and CANCEL do (13.2.2.4, 9.1).
     */
    private boolean mayRenameParties() {
        if (statusOrZero() != 0) {
            return false;
        }
        String method = getMethod();
        return !method.equals(Methods.ACK) && !method.equals(Methods.CANCEL);
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
        HeaderName header = header(name);
        if (header.equals(HeaderName.FROM)) {
            return getFrom();
        }
        if (header.equals(HeaderName.TO)) {
            return getTo();
        }
        return (Address) first(header, true);
    }

    @Override
    public final ListIterator<Address> getAddressHeaders(String name) throws ServletParseException {
        return iterator(header(name), true, Address.class);
    }

    @Override
    public final @Nullable Parameterable getParameterableHeader(String name)
            throws ServletParseException {
        HeaderName header = header(name);
        return HeaderRules.isAddress(header) ? getAddressHeader(name) : first(header, false);
    }

    @Override
    public final ListIterator<? extends Parameterable> getParameterableHeaders(String name)
            throws ServletParseException {
        HeaderName header = header(name);
        return iterator(header, HeaderRules.isAddress(header), Parameterable.class);
    }

    private @Nullable LiveElement first(HeaderName name, boolean address)
            throws ServletParseException {
        checkAddress(name, address);
        if (name.equals(HeaderName.VIA) && !has(name)) {
            return viaToBe();
        }
        LiveHeader header = has(name) ? live(name, address) : null;
        return header == null || header.elements().isEmpty() ? null : header.elements().getFirst();
    }

    private <T> ListIterator<T> iterator(HeaderName name, boolean address, Class<T> type)
            throws ServletParseException {
        checkAddress(name, address);
        if (name.equals(HeaderName.VIA) && !has(name)) {
            LiveElement own = viaToBe();
            return own == null
                    ? Collections.<T>emptyList().listIterator()
                    : List.of(type.cast(own)).listIterator();
        }
        return new LiveIterator<>(live(name, address), type);
    }

    /** The Via that a request of ours will have, as far as it is known; null for others. */
    @Nullable LiveElement viaToBe() throws ServletParseException {
        return null;
    }

    private static void checkAddress(HeaderName name, boolean address)
            throws ServletParseException {
        if (address && !HeaderRules.mayBeAddress(name)) {
            throw new ServletParseException(name.text() + " holds no addresses");
        }
    }

    @Override
    public final void setAddressHeader(String name, Address address) {
        setObject(header(name), address, true);
    }

    @Override
    public final void addAddressHeader(String name, Address address, boolean first) {
        addObject(header(name), address, true, first);
    }

    @Override
    public final void setParameterableHeader(String name, Parameterable value) {
        HeaderName header = header(name);
        setObject(header, value, HeaderRules.isAddress(header));
    }

    @Override
    public final void addParameterableHeader(String name, Parameterable value, boolean first) {
        HeaderName header = header(name);
        addObject(header, value, HeaderRules.isAddress(header), first);
    }

    private LiveElement checkObject(HeaderName name, @Nullable Object value, boolean address) {
        LiveElement element = HeaderElements.require(value, address);
        if (address && !HeaderRules.mayBeAddress(name)) {
            throw new IllegalArgumentException(name.text() + " holds no addresses");
        }
        checkApplicationWrite(name);
        return element;
    }

    private void setObject(HeaderName name, @Nullable Object value, boolean address) {
        put(name, checkObject(name, value, address).print());
    }

    private void addObject(
            HeaderName name, @Nullable Object value, boolean address, boolean first) {
        LiveElement element = checkObject(name, value, address);
        String text = element.print();
        if (name.single()) {
            put(name, text);
        } else if (addLive(name, element, first)) {
            return;
        } else if (first) {
            putFirst(name, text);
        } else {
            putLast(name, text);
        }
    }

    @Override
    public final HeaderForm getHeaderForm() {
        MessageExtras own = seldomOrNull();
        return own == null ? HeaderForm.DEFAULT : own.headerForm;
    }

    @Override
    public final void setHeaderForm(HeaderForm form) {
        Objects.requireNonNull(form, "form");
        checkWritable();
        seldom().headerForm = form;
        present()
                .headerForm(
                        switch (form) {
                            case COMPACT -> io.carillon.sip.message.HeaderForm.COMPACT;
                            case LONG -> io.carillon.sip.message.HeaderForm.LONG;
                            case DEFAULT -> io.carillon.sip.message.HeaderForm.DEFAULT;
                        });
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
        long seconds = Ascii.parseDecimal(value, Integer.MAX_VALUE);
        return seconds == -2 ? Integer.MAX_VALUE : (int) seconds;
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

    private void writeObject(ObjectOutputStream out) throws NotSerializableException {
        throw ByReference.refused(this);
    }
}
