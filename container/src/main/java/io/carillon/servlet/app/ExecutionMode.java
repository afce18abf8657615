package io.carillon.servlet.app;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Where the handlers of an application run: context-param {@link #CONTEXT_PARAM}. */
public enum ExecutionMode {
    /**
     * On the event loop of their shard, and they may wait all the same: one that waits lets the
     * loop go on, one that computes is left behind with its thread. An application that computes
     * has threads of its own for a while ({@link LoopUse}). The default.
     */
    ADAPTIVE,
    /** On threads of their own: for an application of which most handlers compute. */
    BLOCKING,
    /** Handlers never wait: they run to completion on the shard which received the message. */
    NON_BLOCKING;

    /** Name of the context-param; its values are those of {@link #text}. */
    public static final String CONTEXT_PARAM = "io.carillon.execution";

    /** As the context-param has it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The mode of a context-param's value, or null when it is none of {@link #text}. */
    public static @Nullable ExecutionMode of(String value) {
        for (ExecutionMode mode : values()) {
            if (mode.text().equals(value)) {
                return mode;
            }
        }
        return null;
    }

    /** What is said of a value that is none. */
    static String refused(String value) {
        String known =
                Arrays.stream(values()).map(ExecutionMode::text).collect(Collectors.joining(", "));
        return CONTEXT_PARAM + " must be one of " + known + ", not '" + value + "'";
    }
}
