package io.carillon.servlet.kernel;

import io.carillon.servlet.header.HeaderElements;
import io.carillon.sip.header.HeaderName;
import java.util.ArrayList;
import java.util.List;
import java.util.ListIterator;

/**
 * List iterator over the texts of one header, as they were when it was made; changes go to the
 * message at once.
 */
final class HeaderIterator implements ListIterator<String> {
    private final MessageHeaders message;
    private final HeaderName name;
    private final List<String> values;
    private final ListIterator<String> at;

    HeaderIterator(MessageHeaders message, HeaderName name, List<String> texts) {
        this.message = message;
        this.name = name;
        this.values = new ArrayList<>(texts);
        this.at = values.listIterator();
    }

    @Override
    public boolean hasNext() {
        return at.hasNext();
    }

    @Override
    public String next() {
        return at.next();
    }

    @Override
    public boolean hasPrevious() {
        return at.hasPrevious();
    }

    @Override
    public String previous() {
        return at.previous();
    }

    @Override
    public int nextIndex() {
        return at.nextIndex();
    }

    @Override
    public int previousIndex() {
        return at.previousIndex();
    }

    @Override
    public void remove() {
        message.checkIterator(name);
        at.remove();
        message.rewrite(name, values);
    }

    @Override
    public void set(String value) {
        message.checkIterator(name);
        HeaderElements.refuseLineBreak(value);
        at.set(value);
        message.rewrite(name, values);
    }

    @Override
    public void add(String value) {
        message.checkIterator(name);
        HeaderElements.refuseLineBreak(value);
        at.add(value);
        message.rewrite(name, values);
    }
}
