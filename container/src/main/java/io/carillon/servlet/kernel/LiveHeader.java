package io.carillon.servlet.kernel;

import io.carillon.servlet.header.LiveElement;
import io.carillon.servlet.header.Owner;
import io.carillon.servlet.header.Rights;
import io.carillon.sip.header.HeaderName;
import java.util.ArrayList;
import java.util.List;

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

    void clean() {
        dirty = false;
    }
}
