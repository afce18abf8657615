package io.carillon.servlet.feature.protect;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.port.Slot;

/**
 * Marks an application whose handlers go on for long after they have sent what waits for its
 * record, with a database for instance. As a rule a record is made when the handler has ended; of
 * such an application it is made when the message is sent too, as it would be late else. Immutable.
 */
final class LongHandlers {
    private static final Slot<LongHandlers> SLOT = Slot.of(LongHandlers.class);
    private static final LongHandlers MARK = new LongHandlers();

    private LongHandlers() {}

    static boolean of(Application application) {
        return application.parts().get(SLOT) != null;
    }

    /** A message of it was late as its handler had not ended. Any thread. */
    static void seenIn(Application application) {
        application.parts().put(SLOT, MARK);
    }
}
