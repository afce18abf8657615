package io.carillon.servlet.members;

import java.lang.instrument.Instrumentation;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Keeps what the JVM hands to an agent at its start. */
public final class MutationAgent {
    private static volatile @Nullable Instrumentation instrumentation;

    private MutationAgent() {}

    /** Called by the JVM before {@code main}. */
    public static void premain(String arguments, Instrumentation given) {
        instrumentation = given;
    }

    static Instrumentation instrumentation() {
        return Objects.requireNonNull(instrumentation, "started without -javaagent");
    }
}
