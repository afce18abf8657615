package io.carillon.servlet.kernel;

import java.util.ArrayList;
import java.util.List;

/**
 * The subscriptions that use a dialog (RFC 5057), a part of {@link SessionDialog}; made for dialogs
 * that have one. Owner: the turn of the application session.
 */
final class DialogUsages {
    /** Of one dialog; a further one is not remembered, so it ends with the others. */
    static final int MOST = 16;

    private static final String REFER = "refer";

    /** What tells each of them apart; immutable. */
    List<String> names = List.of();

    /** Until when the last of them lives, by what was said of it; wall clock. */
    long untilMillis;

    /** A BYE has ended the call; the subscriptions keep its dialog. */
    boolean hungUp;

    /**
     * Another subscription uses the dialog.
     *
     * @param usage tells subscriptions apart
     * @param until when it ends, unless it is refreshed; milliseconds of the wall clock
     */
    void use(String usage, long until) {
        untilMillis = Math.max(untilMillis, until);
        if (at(usage) < 0 && names.size() < MOST) {
            List<String> more = new ArrayList<>(names);
            more.add(usage);
            names = List.copyOf(more);
        }
    }

    /** It does so no longer. */
    void leave(String usage) {
        int at = at(usage);
        if (at >= 0) {
            List<String> left = new ArrayList<>(names);
            left.remove(at);
            names = List.copyOf(left);
        }
    }

    boolean has(String usage) {
        return at(usage) >= 0;
    }

    /**
     * Where it stands. RFC 3515 2.4.6: NOTIFYs for the first REFER of a dialog may leave out the
     * id.
     */
    private int at(String usage) {
        int exact = names.indexOf(usage);
        for (int i = 0; exact < 0 && usage.equals(REFER) && i < names.size(); i++) {
            exact = names.get(i).startsWith(REFER + ";") ? i : exact;
        }
        return exact;
    }
}
