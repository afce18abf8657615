package io.carillon.pojo.engine;

import io.carillon.pojo.current.Dispatch;
import java.lang.invoke.MethodHandle;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A handler method, ready to be called. Immutable; any thread. */
final class Handler {
    private static final Object[] NONE = {};

    /** What one argument is taken from. */
    @FunctionalInterface
    interface Argument {
        /**
         * Takes it; fails with an {@link UnsuitableMessageException} when the message does not have
         * it.
         */
        @Nullable Object of(Dispatch dispatch) throws Exception;
    }

    private final String label;
    private final @Nullable Criteria criteria;
    private final boolean nonBlocking;
    private final Supplier<?> instance;
    private final MethodHandle call;
    private final Argument[] arguments;

    /**
     * @param label class and method, as messages call it
     * @param criteria of a message handler; null for timers and events
     * @param nonBlocking whether its class says that it never waits
     * @param instance what it is called on
     * @param call takes the instance and the arguments as an array
     */
    Handler(
            String label,
            @Nullable Criteria criteria,
            boolean nonBlocking,
            Supplier<?> instance,
            MethodHandle call,
            Argument[] arguments) {
        this.label = label;
        this.criteria = criteria;
        this.nonBlocking = nonBlocking;
        this.instance = instance;
        this.call = call;
        this.arguments = arguments;
    }

    String label() {
        return label;
    }

    @Nullable Criteria criteria() {
        return criteria;
    }

    boolean nonBlocking() {
        return nonBlocking;
    }

    @Nullable Object invoke(Dispatch dispatch) throws Throwable {
        Argument[] wanted = arguments;
        @Nullable Object[] values = wanted.length == 0 ? NONE : new @Nullable Object[wanted.length];
        for (int i = 0; i < wanted.length; i++) {
            values[i] = wanted[i].of(dispatch);
        }
        return call.invokeExact((Object) instance.get(), values);
    }
}
