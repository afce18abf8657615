package io.carillon.servlet.bytes;

import java.io.NotSerializableException;
import java.io.Serializable;

/**
 * A message, session, address or timer: the API wants {@link Serializable} of what is a timer's
 * info, and old applications cast these to it. They are kept as references ({@link
 * AttributeCodec}), inside of other values too. In bytes that anybody else writes they have no
 * place.
 */
public interface ByReference extends Serializable {
    /** What {@code writeObject} of such an object throws. */
    static NotSerializableException refused(Object object) {
        return new NotSerializableException(
                object.getClass().getName()
                        + ": messages, sessions, addresses and timers live in their server; keep their id or text");
    }
}
