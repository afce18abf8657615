package io.carillon.servlet.kernel;

import io.carillon.servlet.header.Addresses;
import io.carillon.servlet.header.LiveElement;
import io.carillon.servlet.header.Rights;
import io.carillon.servlet.header.ServletAddress;
import io.carillon.servlet.header.ServletUri;
import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.proxy.RoutePreprocessing;
import io.carillon.sip.uri.Uri;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.URI;
import org.jspecify.annotations.Nullable;

/**
 * The layers of one message, without the API's rules: the immutable message below, the overlay
 * above it from the first write on, and on top the objects handed out, which flow back into the
 * overlay when somebody reads text. A message that nobody writes to has neither of the upper two.
 * Owner: the turn of the application session; not thread safe.
 */
abstract class MessageHeaders {
    /** Null only while a message made here was never printed. */
    private @Nullable SipMessage message;

    /** Null while nothing was written since the message below was received or printed. */
    private @Nullable MessageDraft draft;

    /** Null while the application asked for no object of this message. */
    private @Nullable HandedOut views;

    private @Nullable MessageExtras extras;

    /** Is {@link #ownRoutes} to be applied before anything else is read or written? */
    private boolean routeLater;

    MessageHeaders(SipMessage message) {
        this.message = message;
    }

    MessageHeaders(MessageDraft draft) {
        this.draft = draft;
    }

    /**
     * The immutable message as it would leave now: handed out objects are written back, the overlay
     * is printed and given up. Costs nothing when nothing was written.
     */
    public final SipMessage freeze() {
        flush();
        MessageDraft written = draft;
        if (written == null) {
            return below();
        }
        SipMessage printed = written.freeze();
        message = printed;
        draft = null;
        return printed;
    }

    /** A copy of the overlay for one branch or one attempt; this message stays as it is. */
    public final MessageDraft copyDraft() {
        HandedOut given = views;
        if (routeLater && (given == null || !given.dirty)) {
            // Nobody has looked at it yet: the copy is all that is needed.
            MessageDraft routed = MessageDraft.copyOf(below());
            ownRoutes().applyTo(routed);
            return routed;
        }
        flush();
        MessageDraft written = draft;
        return written != null ? written.copy() : MessageDraft.copyOf(freeze());
    }

    /**
     * What of its routes was ours is taken out of a request when somebody looks at it: most
     * requests within a dialog pass unseen.
     */
    final void routeLater() {
        routeLater = true;
    }

    /** What of the routes was ours; only asked for after {@link #routeLater}. */
    public RoutePreprocessing ownRoutes() {
        throw new AssertionError("a message without routes of ours");
    }

    /** Null where nothing of it was ever set. */
    final @Nullable MessageExtras extrasOrNull() {
        return extras;
    }

    /** What few messages have; made when it is not there. */
    final MessageExtras extras() {
        MessageExtras own = extras;
        if (own == null) {
            own = newExtras();
            extras = own;
        }
        return own;
    }

    /** Requests have more. */
    MessageExtras newExtras() {
        return new MessageExtras();
    }

    /** The objects handed out; made when there are none. */
    final HandedOut views() {
        HandedOut own = views;
        if (own == null) {
            own = new HandedOut();
            views = own;
        }
        return own;
    }

    /**
     * Puts what was really sent in place of what the application built; handed out objects are cut
     * off.
     */
    final void replace(@Nullable SipMessage sent) {
        message = sent;
        draft = null;
        routeLater = false;
        HandedOut given = views;
        ArrayList<LiveHeader> all = given == null ? null : given.live;
        for (int i = 0; all != null && i < all.size(); i++) {
            all.get(i).detach();
        }
        views = null;
    }

    /**
     * The overlay for the container's own writes; no rule is checked. For a header that
     * applications may hold objects of (Contact) use {@link #put} and its like instead, so that the
     * objects do not write over it.
     */
    public final MessageDraft edit() {
        flush();
        return present();
    }

    /** Container's write: replaces all values of a header. */
    public final void put(HeaderName name, String value) {
        forget(name);
        present().set(name, value);
    }

    /** Container's write: adds a value on top. */
    public final void putFirst(HeaderName name, String value) {
        forget(name);
        present().addFirst(name, value);
    }

    /** Container's write: adds a value below. */
    public final void putLast(HeaderName name, String value) {
        forget(name);
        present().addLast(name, value);
    }

    /** Container's write: removes a header. */
    public final void drop(HeaderName name) {
        forget(name);
        present().remove(name);
    }

    /**
     * The Request-URI as an object that is live until the message is committed or gets another one.
     */
    protected final URI requestUriView() {
        Uri present = requestUri();
        HandedOut given = views();
        ServletUri view = given.requestUri;
        if (view == null || !present.equals(given.agreedUri)) {
            view = ServletUri.of(present, Rights.FREE, this::beforeLiveChange);
            given.requestUri = view;
            given.agreedUri = present;
        }
        return view;
    }

    /** The Request-URI as it stands now. */
    public final Uri requestUri() {
        flush();
        MessageDraft written = draft;
        return written != null ? written.requestUri() : ((SipRequest) below()).requestUri();
    }

    /** Container's write: another Request-URI; an object handed out before is cut off. */
    public final void putRequestUri(Uri uri) {
        flush();
        HandedOut given = views;
        if (given != null) {
            given.requestUri = null;
        }
        present().setRequestUri(uri);
    }

    /**
     * First value as text: one element where the header is a comma list, else the line. Null when
     * absent.
     */
    public final @Nullable String text(HeaderName name) {
        flush();
        MessageDraft written = draft;
        String line = written != null ? written.get(name) : below().header(name);
        if (line == null || !name.list() || line.indexOf(',') < 0) {
            return line;
        }
        List<String> all = texts(name);
        return all.isEmpty() ? null : all.getFirst();
    }

    /** All values as text, each element of a comma list by itself. */
    public final List<String> texts(HeaderName name) {
        flush();
        MessageDraft written = draft;
        return written != null ? written.all(name) : below().headers(name);
    }

    /** Is the header there? */
    public final boolean has(HeaderName name) {
        flush();
        MessageDraft written = draft;
        return written != null ? written.has(name) : below().has(name);
    }

    /** The long form of every header's name, once each, in order. */
    final List<String> names() {
        flush();
        MessageDraft written = draft;
        int count = written != null ? written.headerCount() : below().headerCount();
        List<String> names = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            String name = (written != null ? written.nameAt(i) : below().nameAt(i)).text();
            if (!holds(names, name)) {
                names.add(name);
            }
        }
        return names;
    }

    private static boolean holds(List<String> names, String name) {
        for (int i = 0; i < names.size(); i++) {
            if (Ascii.equalsIgnoreCase(names.get(i), name)) {
                return true;
            }
        }
        return false;
    }

    final @Nullable MessageDraft draftOrNull() {
        flush();
        return draft;
    }

    /**
     * The same for who does not look at the routes: what of them was ours may stay, and a request
     * that only passes needs no overlay.
     */
    final @Nullable MessageDraft draftBesideRoutes() {
        HandedOut given = views;
        if (given != null && given.dirty) {
            flush();
        }
        return draft;
    }

    /** The overlay was given away, and is not printed yet: this message goes on with a copy. */
    final void unshare() {
        MessageDraft written = draft;
        if (written != null) {
            draft = written.copy();
        }
    }

    /** The message below; only where {@link #draftOrNull} gave null. */
    final SipMessage below() {
        SipMessage below = message;
        if (below == null) {
            below = unpacked();
            message = below;
        }
        return below;
    }

    /**
     * Nobody is expected to look at this message any more, which somebody else keeps as bytes: it
     * is {@link #unpacked} when it is asked for after all.
     */
    final void dropMessage() {
        replace(null);
    }

    /** The message that was dropped. */
    SipMessage unpacked() {
        throw new AssertionError("neither message nor overlay");
    }

    /** The overlay, made on first use. */
    final MessageDraft present() {
        MessageDraft written = draft;
        if (written == null) {
            written = MessageDraft.copyOf(below());
            draft = written;
        }
        return written;
    }

    /** All values of a header that an application goes through and changes. */
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
     * Before a value that an iterator stands on changes.
     *
     * @throws IllegalStateException when the container manages the header, or nobody may write
     */
    final void checkIterator(HeaderName name) {
        if (rightsOf(name) != Rights.FREE) {
            throw new IllegalStateException(name.text() + " is a system header");
        }
        checkWritable();
    }

    /**
     * Before an application writes a header as a whole.
     *
     * @throws IllegalArgumentException when the container manages the header
     * @throws IllegalStateException when nobody may write
     */
    final void checkApplicationWrite(HeaderName name) {
        if (rightsOf(name) != Rights.FREE) {
            throw new IllegalArgumentException(name.text() + " is a system header");
        }
        checkWritable();
    }

    /** Called before an object of a live header changes; throws when the message is committed. */
    final void beforeLiveChange() {
        checkWritable();
        views().dirty = true;
    }

    abstract void checkWritable();

    /** The Via that a request of ours will have, as far as it is known; null for others. */
    @Nullable LiveElement viaToBe() throws ServletParseException {
        return null;
    }

    abstract Rights rightsOf(HeaderName name);

    /** The header as objects; made on first use. */
    final LiveHeader live(HeaderName name, boolean addresses) throws ServletParseException {
        LiveHeader known = find(name);
        if (known != null && known.addresses() == addresses) {
            return known;
        }
        List<String> texts = texts(name);
        forget(name);
        LiveHeader header =
                new LiveHeader(this, name, rightsOf(name), addresses, Math.max(texts.size(), 1));
        for (int i = 0; i < texts.size(); i++) {
            header.parse(texts.get(i));
        }
        HandedOut given = views();
        ArrayList<LiveHeader> all = given.live;
        if (all == null) {
            all = new ArrayList<>(2);
            given.live = all;
        }
        all.add(header);
        return header;
    }

    /** Adds to the objects of a header if there are any; else false, and nothing is changed. */
    final boolean addLive(HeaderName name, LiveElement element, boolean first) {
        LiveHeader header = find(name);
        if (header == null) {
            return false;
        }
        header.beforeChange();
        header.elements().add(first ? 0 : header.elements().size(), header.adopt(element));
        return true;
    }

    private @Nullable LiveHeader find(HeaderName name) {
        ArrayList<LiveHeader> all = views == null ? null : views.live;
        if (all != null) {
            for (int i = 0; i < all.size(); i++) {
                if (all.get(i).name().equals(name)) {
                    return all.get(i);
                }
            }
        }
        return null;
    }

    /** Cuts off the handed out objects of a header that is about to be written as text. */
    final void forget(HeaderName name) {
        flush();
        ArrayList<LiveHeader> all = views == null ? null : views.live;
        if (all != null) {
            for (int i = all.size() - 1; i >= 0; i--) {
                if (all.get(i).name().equals(name)) {
                    all.remove(i).detach();
                }
            }
        }
    }

    /** Writes changed objects into the overlay. */
    private void flush() {
        if (routeLater) {
            routeLater = false;
            ownRoutes().applyTo(present());
        }
        HandedOut given = views;
        if (given != null && given.dirty) {
            given.dirty = false;
            flush(given);
        }
    }

    private void flush(HandedOut given) {
        ServletUri view = given.requestUri;
        if (view != null && !view.value().equals(given.agreedUri)) {
            given.agreedUri = view.value();
            present().setRequestUri(view.value());
        }
        flushParties(given);
        ArrayList<LiveHeader> all = given.live;
        if (all == null) {
            return;
        }
        for (int i = 0; i < all.size(); i++) {
            LiveHeader header = all.get(i);
            if (header.dirty()) {
                header.writeInto(present());
            }
        }
    }

    /** The tags are the container's: they stay as the message has them. */
    @SuppressWarnings("ReferenceEquality") // values are immutable: another object is another value
    private void flushParties(HandedOut given) {
        ServletAddress from = given.from;
        if (from != null && from.value() != given.agreedFrom) {
            given.agreedFrom = from.value();
            present().setFrom(tagged(from.value(), present().from().tag()));
            extras().renamed = true;
        }
        ServletAddress to = given.to;
        if (to != null && to.value() != given.agreedTo) {
            given.agreedTo = to.value();
            present().setTo(tagged(to.value(), present().to().tag()));
            extras().renamed = true;
        }
    }

    private static NameAddress tagged(NameAddress party, @Nullable String tag) {
        NameAddress legal = party.withUri(Addresses.forFromTo(party.uri()));
        if (Objects.equals(legal.tag(), tag)) {
            return legal;
        }
        return tag == null ? legal.withoutParam("tag") : legal.withTag(tag);
    }

    /** Did the application change From or To of this request? */
    public final boolean renamed() {
        HandedOut given = views;
        if (given != null && given.dirty) {
            flush(); // not always: it would make the overlay of a request that nobody looks at
        }
        MessageExtras own = extras;
        return own != null && own.renamed;
    }
}
