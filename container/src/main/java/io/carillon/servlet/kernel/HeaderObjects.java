package io.carillon.servlet.kernel;

import io.carillon.servlet.header.HeaderElements;
import io.carillon.servlet.header.HeaderRules;
import io.carillon.servlet.header.LiveElement;
import io.carillon.servlet.header.Rights;
import io.carillon.servlet.header.ServletAddress;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import java.util.Collections;
import java.util.List;
import java.util.ListIterator;
import javax.servlet.sip.ServletParseException;
import org.jspecify.annotations.Nullable;

/**
 * Headers of a message as the objects that an application gets of them: live, so what it does to
 * them is in the message. Stateless; with the turn held.
 */
final class HeaderObjects {
    private HeaderObjects() {}

    /**
     * From; the object that was handed out before where there is one.
     *
     * @param present what stands there now
     * @param renamed may the application change it, but for the tag?
     */
    static ServletAddress from(MessageHeaders message, NameAddress present, boolean renamed) {
        HandedOut given = message.views();
        ServletAddress view = party(message, given.from, given.agreedFrom, present, renamed);
        given.from = view;
        given.agreedFrom = view.value();
        return view;
    }

    /** To, as {@link #from}. */
    static ServletAddress to(MessageHeaders message, NameAddress present, boolean renamed) {
        HandedOut given = message.views();
        ServletAddress view = party(message, given.to, given.agreedTo, present, renamed);
        given.to = view;
        given.agreedTo = view.value();
        return view;
    }

    private static ServletAddress party(
            MessageHeaders message,
            @Nullable ServletAddress known,
            @Nullable NameAddress agreed,
            NameAddress present,
            boolean renamed) {
        if (known == null) {
            return renamed
                    ? new ServletAddress(present, Rights.PARTY, message::beforeLiveChange)
                    : new ServletAddress(present, Rights.READ_ONLY, null);
        }
        if (!present.equals(agreed)) {
            known.reset(present);
        }
        return known;
    }

    /** The first value; null where there is none. */
    static @Nullable LiveElement first(MessageHeaders message, HeaderName name, boolean address)
            throws ServletParseException {
        checkAddress(name, address);
        if (name.equals(HeaderName.VIA) && !message.has(name)) {
            return message.viaToBe();
        }
        LiveHeader header = message.has(name) ? message.live(name, address) : null;
        return header == null || header.elements().isEmpty() ? null : header.elements().getFirst();
    }

    /** All values. */
    static <T> ListIterator<T> iterator(
            MessageHeaders message, HeaderName name, boolean address, Class<T> type)
            throws ServletParseException {
        checkAddress(name, address);
        if (name.equals(HeaderName.VIA) && !message.has(name)) {
            LiveElement own = message.viaToBe();
            return own == null
                    ? Collections.<T>emptyList().listIterator()
                    : List.of(type.cast(own)).listIterator();
        }
        return new LiveIterator<>(message.live(name, address), type);
    }

    private static void checkAddress(HeaderName name, boolean address)
            throws ServletParseException {
        if (address && !HeaderRules.mayBeAddress(name)) {
            throw new ServletParseException(name.text() + " holds no addresses");
        }
    }

    /**
     * That object becomes the only value of the header.
     *
     * @throws IllegalArgumentException for one of another kind, or made by somebody else, and for a
     *     system header
     */
    static void set(
            MessageHeaders message, HeaderName name, @Nullable Object value, boolean address) {
        message.put(name, checked(message, name, value, address).print());
    }

    private static LiveElement checked(
            MessageHeaders message, HeaderName name, @Nullable Object value, boolean address) {
        LiveElement element = HeaderElements.require(value, address);
        if (address && !HeaderRules.mayBeAddress(name)) {
            throw new IllegalArgumentException(name.text() + " holds no addresses");
        }
        message.checkApplicationWrite(name);
        return element;
    }

    /**
     * As {@link #set}: adds a value above or below the others; the only one of a header that has
     * but one.
     */
    static void add(
            MessageHeaders message,
            HeaderName name,
            @Nullable Object value,
            boolean address,
            boolean first) {
        LiveElement element = checked(message, name, value, address);
        String text = element.print();
        if (name.single()) {
            message.put(name, text);
        } else if (message.addLive(name, element, first)) {
            return;
        } else if (first) {
            message.putFirst(name, text);
        } else {
            message.putLast(name, text);
        }
    }
}
