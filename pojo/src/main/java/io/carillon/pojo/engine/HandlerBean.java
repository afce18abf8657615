package io.carillon.pojo.engine;

import java.lang.reflect.Method;
import java.util.function.Supplier;

/**
 * A handler class with its instance, as a framework has them.
 *
 * @param type the class that was written, which is looked at for annotations
 * @param instance gives what is called: the instance, or a proxy with aspects around it; called for
 *     each message, from any thread
 * @param invocable the method of the instance's class that stands for one of {@code type}
 */
public record HandlerBean(Class<?> type, Supplier<?> instance, Invocable invocable) {
    /** Finds the method to call. */
    @FunctionalInterface
    public interface Invocable {
        /**
         * Gives the method of the proxy for that of the class.
         *
         * @throws IllegalStateException in a sentence, where the proxy does not have it
         */
        Method of(Method written);
    }

    /** One instance for the life of the application, without anything around it. */
    public static HandlerBean of(Object instance) {
        return new HandlerBean(instance.getClass(), () -> instance, written -> written);
    }
}
