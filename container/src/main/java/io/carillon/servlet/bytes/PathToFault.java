package io.carillon.servlet.bytes;

import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where inside of a value an object of a class lies: the fields that lead there, {@code []} for an
 * element or an entry. So who has written the application finds what cannot be serialized.
 *
 * <p>One search, by one thread; values that an application changes meanwhile are its own matter.
 */
final class PathToFault {
    /** Objects that are looked at: a large value is searched in part. */
    private static final int MOST_OBJECTS = 2_000;

    private record Step(Object object, String path) {}

    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<Step> open = new ArrayDeque<>();

    private PathToFault() {}

    /**
     * The shortest way to an object of that class.
     *
     * @param name of the value, with which the path begins
     * @return null where it was not found
     */
    static @Nullable String of(Object value, String name, String type) {
        return new PathToFault().search(value, name, type);
    }

    private @Nullable String search(Object value, String name, String type) {
        add(value, name);
        for (Step step = open.poll(); step != null; step = open.poll()) {
            if (step.object != value && step.object.getClass().getName().equals(type)) {
                return step.path;
            }
            if (seen.size() < MOST_OBJECTS) {
                into(step.object, step.path);
            }
        }
        return null;
    }

    private void add(@Nullable Object object, String path) {
        if (object != null && seen.add(object)) {
            open.add(new Step(object, path));
        }
    }

    private void into(Object object, String path) {
        switch (object) {
            case Object[] elements -> {
                for (Object each : elements) {
                    add(each, path + "[]");
                }
            }
            case Collection<?> elements -> elements.forEach(each -> add(each, path + "[]"));
            case Map<?, ?> entries ->
                    entries.forEach((key, entry) -> {
                        add(key, path + "[]");
                        add(entry, path + "[]");
                    });
            default -> {
                for (Class<?> of = object.getClass(); of != null; of = of.getSuperclass()) {
                    fields(object, of, path);
                }
            }
        }
    }

    private void fields(Object object, Class<?> of, String path) {
        for (Field field : of.getDeclaredFields()) {
            int modifiers = field.getModifiers();
            if (!Modifier.isStatic(modifiers)
                    && !Modifier.isTransient(modifiers)
                    && !field.getType().isPrimitive()) {
                add(read(object, field), path + '.' + field.getName());
            }
        }
    }

    /** Null for what the JDK keeps to itself. */
    private static @Nullable Object read(Object object, Field field) {
        try {
            field.setAccessible(true);
            return field.get(object);
        } catch (InaccessibleObjectException | SecurityException | IllegalAccessException e) {
            return null;
        }
    }
}
