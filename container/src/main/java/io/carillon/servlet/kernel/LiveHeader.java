package io.carillon.servlet.kernel;

import io.carillon.servlet.header.HeaderElements;
import io.carillon.servlet.header.LiveElement;
import io.carillon.servlet.header.Owner;
import io.carillon.servlet.header.Rights;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.MessageDraft;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.sip.ServletParseException;

/**
 * One header whose elements were handed out as objects: the objects are the truth from then on, and
 * the overlay gets their text when somebody reads it as text or the message is frozen. Owner: the
 * turn.
 */
final class LiveHeader implements Owner {
    private final MessageHeaders message;
    private final HeaderName name;
    private final Rights rights;
    private final boolean addresses;
    private final ArrayList<LiveElement> elements;
    private boolean dirty;
    private boolean detached;

    LiveHeader(
            MessageHeaders message, HeaderName name, Rights rights, boolean addresses, int size) {
        this.message = message;
        this.name = name;
        this.rights = rights;
        this.addresses = addresses;
        this.elements = new ArrayList<>(size);
    }

    HeaderName name() {
        return name;
    }

    boolean addresses() {
        return addresses;
    }

    List<LiveElement> elements() {
        return elements;
    }

    Rights rights() {
        return rights;
    }

    @Override
    public void beforeChange() {
        if (!detached) {
            message.beforeLiveChange();
            dirty = true;
        }
    }

    /** From now on changes reach nobody: the header was written as a whole since. */
    void detach() {
        detached = true;
    }

    /** Before elements are added, replaced or removed as a whole. */
    void beforeListChange() {
        if (rights != Rights.FREE) {
            throw new IllegalStateException(name.text() + " is a system header");
        }
        beforeChange();
    }

    LiveElement adopt(LiveElement element) {
        return element.copyFor(rights, this);
    }

    boolean dirty() {
        return dirty;
    }

    /**
     * Its next element. A header that we do not know to be a list may be one: its commas part it
     * where addresses are asked for.
     */
    void parse(String text) throws ServletParseException {
        List<String> parts = addresses && !name.list() ? HeaderElements.split(text) : List.of(text);
        for (int i = 0; i < parts.size(); i++) {
            elements.add(HeaderElements.parse(parts.get(i), addresses, rights, this));
        }
    }

    /** The overlay has what the objects say. */
    void writeInto(MessageDraft draft) {
        dirty = false;
        if (elements.isEmpty()) {
            draft.remove(name);
            return;
        }
        draft.set(name, elements.get(0).print());
        for (int i = 1; i < elements.size(); i++) {
            draft.addLast(name, elements.get(i).print());
        }
    }
}
