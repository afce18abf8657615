package io.carillon.pojo.cdi;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** Instances of annotations that have no elements, or one text. Stateless. */
final class Literals {
    private Literals() {}

    static Annotation of(Class<? extends Annotation> type) {
        return (Annotation)
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (self, method, arguments) -> answer(type, method, arguments));
    }

    private static @Nullable Object answer(
            Class<? extends Annotation> type, Method method, Object[] arguments) {
        return switch (method.getName()) {
            case "annotationType" -> type;
            case "equals" -> type.isInstance(arguments[0]);
            case "hashCode" -> 0; // Annotation.hashCode: the sum over its elements
            case "toString" -> "@" + type.getName() + "()";
            default -> method.getDefaultValue();
        };
    }
}
