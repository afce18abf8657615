package io.carillon.servlet.app;

import org.jspecify.annotations.Nullable;

/** What an application promises about its handlers: context-param {@link #CONTEXT_PARAM}. */
public enum ExecutionMode {
    /** Handlers may wait: they run on threads of their own. The default. */
    BLOCKING,
    /** Handlers never wait: they run to completion on the shard which received the message. */
    NON_BLOCKING;

    /** Name of the context-param: {@code blocking} or {@code non-blocking}. */
    public static final String CONTEXT_PARAM = "io.carillon.execution";

    /**
     * The mode of a context-param's value, or null when it is neither {@code blocking} nor {@code
     * non-blocking}.
     */
    public static @Nullable ExecutionMode of(String value) {
        return switch (value) {
            case "blocking" -> BLOCKING;
            case "non-blocking" -> NON_BLOCKING;
            default -> null;
        };
    }
}
