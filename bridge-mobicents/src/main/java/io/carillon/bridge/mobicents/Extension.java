package io.carillon.bridge.mobicents;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An object with an interface that is known by name only: calls go to {@code plain}, those of
 * methods that it does not have to the function of the same name and number of parameters.
 *
 * <p>For the two interfaces whose source files say another licence than their artifact does
 * (docs/decisions/0012-vendor-bridge.md): no class of ours is compiled against them, and one object
 * per application has them. Any thread.
 */
final class Extension implements InvocationHandler {
    /** One method of the interface. */
    interface Member {
        @Nullable Object call(Object[] arguments) throws Exception;
    }

    private final Object plain;
    private final Map<String, Member> members;

    private Extension(Object plain, Map<String, Member> members) {
        this.plain = plain;
        this.members = members;
    }

    /**
     * @param type name of the interface
     * @param members by {@code name/number of parameters}
     * @return {@code plain} itself where the interface is not on the class path
     */
    static <T> T over(T plain, Class<T> api, String type, Map<String, Member> members) {
        ClassLoader loader = Extension.class.getClassLoader();
        try {
            Class<?> wider = Class.forName(type, false, loader);
            return api.cast(
                    Proxy.newProxyInstance(
                            loader, new Class<?>[] {wider}, new Extension(plain, members)));
        } catch (ClassNotFoundException older) {
            return plain; // an older artifact, whose applications cannot know it
        }
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] given)
            throws Throwable {
        Object[] arguments = given == null ? new Object[0] : given;
        if (method.getDeclaringClass() == Object.class) {
            return ofObject(proxy, method.getName(), arguments);
        }
        Member member = members.get(method.getName() + "/" + arguments.length);
        if (member != null) {
            return member.call(arguments);
        }
        if (!method.getDeclaringClass().isInstance(plain)) {
            throw new UnsupportedOperationException(method.getName() + " is not there");
        }
        try {
            return method.invoke(plain, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    private Object ofObject(Object proxy, String name, Object[] arguments) {
        return switch (name) {
            case "equals" -> proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> plain.toString();
        };
    }
}
