package io.carillon.servlet.header;

/** Who a live view belongs to, and who wants to know before it changes. */
@FunctionalInterface
public interface Owner {
    /**
     * Called before each change, under the turn of the application session.
     *
     * @throws IllegalStateException when the message is committed: nothing was changed
     */
    void beforeChange();
}
