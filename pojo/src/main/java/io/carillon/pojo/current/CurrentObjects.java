package io.carillon.pojo.current;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;

/**
 * Objects of the API that can be injected once and used in every call: each call of a method goes
 * to the object that the work on the calling thread belongs to. Stateless; any thread.
 */
public final class CurrentObjects {
    private CurrentObjects() {}

    /**
     * Stands for what {@code current} gives at the time of each call.
     *
     * @param type an interface
     * @param current may throw {@link IllegalStateException}, which the caller gets
     */
    public static <T> T standIn(Class<T> type, Supplier<? extends T> current) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (self, method, arguments) -> {
                            if (method.getDeclaringClass() == Object.class) {
                                return ofObject(type, self, method, arguments);
                            }
                            try {
                                return method.invoke(current.get(), arguments);
                            } catch (InvocationTargetException e) {
                                throw Objects.requireNonNull(e.getCause());
                            }
                        }));
    }

    private static Object ofObject(Class<?> type, Object self, Method method, Object[] arguments) {
        return switch (method.getName()) {
            case "equals" -> self == arguments[0];
            case "hashCode" -> System.identityHashCode(self);
            default -> "the " + type.getSimpleName() + " of the call in work";
        };
    }

    /** Stand-ins for the message and its sessions, by their types. */
    public static Map<Class<?>, Object> ofMessages() {
        Map<Class<?>, Object> all = new LinkedHashMap<>();
        all.put(SipSession.class, standIn(SipSession.class, Current::sipSession));
        all.put(
                SipApplicationSession.class,
                standIn(SipApplicationSession.class, Current::applicationSession));
        all.put(SipServletRequest.class, standIn(SipServletRequest.class, Current::request));
        all.put(SipServletResponse.class, standIn(SipServletResponse.class, Current::response));
        return all;
    }
}
