package io.carillon.server.config;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A key of the configuration, or a section of keys. The record component has the same name in camel
 * case, and so has what the modules below call it, but for a unit.
 *
 * <p>A value: any thread.
 *
 * @param section the name of the section it stands in, as in {@code sip}; empty at the top
 * @param component of the section's record
 * @param setting what is said about it
 */
public record ConfigurationKey(String section, RecordComponent component, Setting setting) {
    /** Behind the name of a secret: the key that names its file. */
    static final String FILE = "-file";

    /** Of a component. */
    static ConfigurationKey of(String section, RecordComponent component) {
        Setting setting = component.getAnnotation(Setting.class);
        if (setting == null) {
            throw new IllegalStateException("no @Setting on " + component);
        }
        return new ConfigurationKey(section, component, setting);
    }

    /** The whole name, as in {@code sip.request-heap}. */
    public String name() {
        return section.isEmpty() ? word() : section + "." + word();
    }

    /** The name within its section: the component's name in kebab case. */
    public String word() {
        StringBuilder word = new StringBuilder();
        for (char c : component.getName().toCharArray()) {
            if (Character.isUpperCase(c)) {
                word.append('-');
            }
            word.append(Character.toLowerCase(c));
        }
        return word.toString();
    }

    /** Whether it is for experts, and has its place on the reference page after the others. */
    public boolean expert() {
        return !setting.common();
    }

    /** Whether a running server takes another value by a reload. */
    public boolean reload() {
        return setting.reload();
    }

    /** What is counted at this limit, by the names of the status. */
    public List<String> metrics() {
        return List.of(setting.metrics());
    }

    /** The record behind a section, or a map or list of sections; null for a key with a value. */
    @Nullable Class<? extends Record> record() {
        Class<?> type = isMap() || isList() ? element() : component.getType();
        return type.isRecord() && ScalarKind.of(type) == null
                ? type.asSubclass(Record.class)
                : null;
    }

    /** Whether its value must never be seen. */
    public boolean secret() {
        return component.getType() == Secret.class;
    }

    boolean isMap() {
        return component.getType() == Map.class;
    }

    boolean isList() {
        return component.getType() == List.class;
    }

    /** What a map or list holds. */
    Class<?> element() {
        Type type = component.getGenericType();
        return (Class<?>) ((ParameterizedType) type).getActualTypeArguments()[isMap() ? 1 : 0];
    }

    /** How its values are written; of a map or list: each of them. */
    ScalarKind<?> kind() {
        Class<?> type = isMap() || isList() ? element() : component.getType();
        ScalarKind<?> kind = ScalarKind.of(type);
        if (kind == null) {
            throw new IllegalStateException("no setting can be a " + type.getName());
        }
        return kind;
    }

    /** From the smallest to the largest value, for people; empty where there is no range. */
    String range() {
        return setting.min().isEmpty() ? "" : ", from " + setting.min() + " to " + setting.max();
    }

    /** The value of a section's record. */
    Object in(Object record) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("configuration record " + record.getClass(), e);
        }
    }

    /** As {@link #written}, of a list too. */
    String shown(Object value) {
        if (value instanceof List<?> list) {
            return "[" + String.join(", ", list.stream().map(this::written).toList()) + "]";
        }
        return written(value);
    }

    /** A value of this key as a user would write it, with its unit. */
    String written(@Nullable Object value) {
        return switch (value) {
            case null -> "none";
            case Duration time ->
                    time.toMillisPart() == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
            case Enum<?> word -> word.name().toLowerCase(Locale.ROOT).replace('_', '-');
            default -> setting.unit().isEmpty() ? value.toString() : value + " " + setting.unit();
        };
    }
}
