package io.carillon.server.api;

import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Records as JSON Schema, which OpenAPI 3.1 has: their components are the members. One thread. */
final class Schemas {
    private static final String TYPE = "type";

    /** By name; what is found on the way is added. */
    private final Map<String, Object> named = new TreeMap<>();

    private final Map<String, Class<?>> owners = new TreeMap<>();

    /** All records that were met. */
    Map<String, Object> named() {
        return named;
    }

    /** Of a class, or a list of it. */
    Map<String, Object> of(Class<?> type, boolean list) {
        Map<String, Object> one = of(type);
        return list ? array(one) : one;
    }

    private static Map<String, Object> array(Map<String, Object> items) {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put(TYPE, "array");
        schema.put("items", items);
        return schema;
    }

    private static Map<String, Object> type(String name, String format) {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put(TYPE, name);
        if (!format.isEmpty()) {
            schema.put("format", format);
        }
        return schema;
    }

    private Map<String, Object> of(Class<?> type) {
        if (type == String.class) {
            return type("string", "");
        }
        if (type == boolean.class || type == Boolean.class) {
            return type("boolean", "");
        }
        if (type == int.class || type == Integer.class) {
            return type("integer", "int32");
        }
        if (type == long.class || type == Long.class) {
            return type("integer", "int64");
        }
        if (type == double.class || type == Double.class) {
            return type("number", "double");
        }
        if (type.isEnum()) {
            Map<String, Object> schema = type("string", "");
            schema.put(
                    "enum", Arrays.stream(type.getEnumConstants()).map(String::valueOf).toList());
            return schema;
        }
        if (type.isRecord()) {
            return reference(type);
        }
        if (Map.class.isAssignableFrom(type)) {
            Map<String, Object> schema = type("object", "");
            schema.put("additionalProperties", type("string", ""));
            return schema;
        }
        throw new IllegalArgumentException("no schema for " + type);
    }

    private Map<String, Object> of(AnnotatedType annotated) {
        Type type = annotated.getType();
        if (type instanceof ParameterizedType generic
                && generic.getRawType() instanceof Class<?> raw
                && annotated instanceof AnnotatedParameterizedType parts) {
            AnnotatedType[] arguments = parts.getAnnotatedActualTypeArguments();
            if (Collection.class.isAssignableFrom(raw)) {
                return array(of(arguments[0]));
            }
            if (Map.class.isAssignableFrom(raw)) {
                Map<String, Object> schema = type("object", "");
                schema.put("additionalProperties", of(arguments[1]));
                return schema;
            }
        }
        if (type instanceof Class<?> plain) {
            return of(plain);
        }
        throw new IllegalArgumentException("no schema for " + type);
    }

    private Map<String, Object> reference(Class<?> record) {
        String name = name(record);
        Class<?> owner = owners.putIfAbsent(name, record);
        if (owner != null && owner != record) {
            throw new IllegalArgumentException(record + " and " + owner + " have one name");
        }
        if (owner == null) {
            named.put(name, members(record));
        }
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("$ref", "#/components/schemas/" + name);
        return schema;
    }

    private Map<String, Object> members(Class<?> record) {
        Map<String, Object> properties = new LinkedHashMap<>();
        List<String> required = new ArrayList<>();
        for (RecordComponent one : record.getRecordComponents()) {
            Map<String, Object> schema = of(one.getAnnotatedType());
            if (one.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
                schema = orNull(schema);
            } else {
                required.add(one.getName());
            }
            properties.put(one.getName(), schema);
        }
        Map<String, Object> schema = type("object", "");
        schema.put("properties", properties);
        if (!required.isEmpty()) {
            schema.put("required", required);
        }
        return schema;
    }

    private static Map<String, Object> orNull(Map<String, Object> schema) {
        Map<String, Object> either = new LinkedHashMap<>(schema);
        if (schema.get(TYPE) instanceof String name) {
            either.put(TYPE, List.of(name, "null"));
            return either;
        }
        either.clear();
        either.put("anyOf", List.of(schema, type("null", "")));
        return either;
    }

    /** With the class it stands in: several are called Call. */
    private static String name(Class<?> record) {
        Class<?> outer = record.getEnclosingClass();
        boolean inside =
                outer != null && !outer.getPackageName().equals(Schemas.class.getPackageName());
        return (inside ? name(outer) : "") + record.getSimpleName();
    }
}
