package io.carillon.servlet.app;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What applications of older containers may count on although the specification says otherwise.
 * Each is off unless the context-param {@link #CONTEXT_PARAM} names it.
 */
public enum OldHabit {
    /**
     * {@code RequestDispatcher.forward} makes its target the handler of the session. SIP Servlet
     * 1.1 names {@code SipSession.setHandler} alone for that.
     */
    FORWARD_SETS_HANDLER("forward-sets-handler"),

    /**
     * A 408 or 503 of the container's own has the address where its request went as its remote
     * address. SIP Servlet 1.1 5.1: what was not received has none.
     */
    TRIED_ADDRESS("tried-address"),

    /**
     * Headers of the container, as Call-ID, in the header map of {@code B2buaHelper.createRequest}
     * are passed over. SIP Servlet 1.1 has {@code IllegalArgumentException} for them.
     */
    SYSTEM_HEADERS_IN_MAP("system-headers-in-map");

    /** Name of the context-param: names of habits with commas between them, or {@code all}. */
    public static final String CONTEXT_PARAM = "io.carillon.old-habits";

    private static final String ALL = "all";

    private final String text;

    OldHabit(String text) {
        this.text = text;
    }

    /** Its name in the context-param. */
    public String text() {
        return text;
    }

    /**
     * The habits that a context-param's value names.
     *
     * @throws IllegalArgumentException when it names none of ours; the message lists them
     */
    public static Set<OldHabit> of(String value) {
        Set<OldHabit> found = EnumSet.noneOf(OldHabit.class);
        for (String part : value.split(",", -1)) {
            String name = part.strip();
            if (name.equals(ALL)) {
                found.addAll(EnumSet.allOf(OldHabit.class));
            } else if (!name.isEmpty()) {
                found.add(named(name));
            }
        }
        return found;
    }

    /** Those of an application with these context-params. */
    static Set<OldHabit> in(Map<String, String> contextParams) {
        return of(contextParams.getOrDefault(CONTEXT_PARAM, ""));
    }

    private static OldHabit named(String name) {
        List<String> known = new ArrayList<>();
        for (OldHabit habit : values()) {
            if (habit.text.equals(name)) {
                return habit;
            }
            known.add(habit.text);
        }
        throw new IllegalArgumentException(
                CONTEXT_PARAM
                        + " takes "
                        + ALL
                        + " or some of "
                        + String.join(", ", known)
                        + ", not '"
                        + name
                        + "'");
    }
}
