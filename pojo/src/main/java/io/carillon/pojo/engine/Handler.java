package io.carillon.pojo.engine;

import java.lang.invoke.MethodHandle;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A handler method, ready to be called. Immutable; any thread.
 *
 * @param label class and method, as messages call it
 * @param criteria of a message handler; null for timers and events
 * @param nonBlocking whether its class says that it never waits
 * @param instance what it is called on
 * @param call takes the instance and the arguments as an array
 */
record Handler(
        String label,
        @Nullable Criteria criteria,
        boolean nonBlocking,
        Supplier<?> instance,
        MethodHandle call,
        Argument[] arguments) {
    private static final Object[] NONE = {};

    /** What one argument is taken from. */
    @FunctionalInterface
    interface Argument {
        /**
         * @throws UnsuitableMessageException when the message does not have it
         */
        @Nullable Object of(Dispatch dispatch) throws Exception;
    }

    @Nullable Object invoke(Dispatch dispatch) throws Throwable {
        Argument[] wanted = arguments;
        Object[] values = wanted.length == 0 ? NONE : new Object[wanted.length];
        for (int i = 0; i < wanted.length; i++) {
            values[i] = wanted[i].of(dispatch);
        }
        return call.invokeExact((Object) instance.get(), values);
    }
}
