package io.carillon.servlet.kernel;

import io.carillon.servlet.header.HeaderElements;
import java.util.ListIterator;
import java.util.NoSuchElementException;

/**
 * List iterator over the objects of one header; on a system header it only reads. Added and set
 * objects are copied: the header never shares a value with another message.
 */
final class LiveIterator<T> implements ListIterator<T> {
    private final LiveHeader header;
    private final Class<T> type;
    private int next;
    private int last = -1;

    LiveIterator(LiveHeader header, Class<T> type) {
        this.header = header;
        this.type = type;
    }

    @Override
    public boolean hasNext() {
        return next < header.elements().size();
    }

    @Override
    public T next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        last = next++;
        return type.cast(header.elements().get(last));
    }

    @Override
    public boolean hasPrevious() {
        return next > 0;
    }

    @Override
    public T previous() {
        if (!hasPrevious()) {
            throw new NoSuchElementException();
        }
        last = --next;
        return type.cast(header.elements().get(last));
    }

    @Override
    public int nextIndex() {
        return next;
    }

    @Override
    public int previousIndex() {
        return next - 1;
    }

    @Override
    public void remove() {
        header.beforeListChange();
        requireLast();
        header.elements().remove(last);
        if (last < next) {
            next--;
        }
        last = -1;
    }

    @Override
    public void set(T value) {
        header.beforeListChange();
        requireLast();
        header.elements()
                .set(last, header.adopt(HeaderElements.require(value, header.addresses())));
    }

    @Override
    public void add(T value) {
        header.beforeListChange();
        header.elements()
                .add(next++, header.adopt(HeaderElements.require(value, header.addresses())));
        last = -1;
    }

    private void requireLast() {
        if (last < 0) {
            throw new IllegalStateException("no element was returned since the last change");
        }
    }
}
