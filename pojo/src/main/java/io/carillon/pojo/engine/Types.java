package io.carillon.pojo.engine;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;

/** What the declared type of a parameter says. Stateless. */
final class Types {
    private Types() {}

    /** Without its type arguments. */
    static Class<?> rawOf(Type type) {
        return switch (type) {
            case Class<?> raw -> raw;
            case ParameterizedType generic -> (Class<?>) generic.getRawType();
            default -> Object.class;
        };
    }

    /** The type argument of an Optional or a List. */
    static Type elementOf(Type type) {
        return type instanceof ParameterizedType generic
                ? generic.getActualTypeArguments()[0]
                : Object.class;
    }
}
