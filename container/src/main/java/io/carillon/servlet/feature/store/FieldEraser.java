package io.carillon.servlet.feature.store;

import io.carillon.servlet.bytes.Part;
import io.carillon.servlet.bytes.UnderWay;
import io.carillon.servlet.turn.Turn;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

/**
 * Empties an object, so that afterwards it holds only what its bytes bring back: every field of its
 * class, and of the session class that a bridge's is made from, but those that are final, volatile
 * (other threads look at them) or {@link UnderWay}; and its {@link Part}s likewise.
 */
final class FieldEraser {
    private static final ClassValue<List<Field>> FIELDS =
            new ClassValue<>() {
                @Override
                protected List<Field> computeValue(Class<?> type) {
                    return fields(type);
                }
            };

    private static final ClassValue<List<Field>> PARTS =
            new ClassValue<>() {
                @Override
                protected List<Field> computeValue(Class<?> type) {
                    return declared(type).stream()
                            .filter(field -> field.isAnnotationPresent(Part.class))
                            .toList();
                }
            };

    private static final int KEPT = Modifier.FINAL | Modifier.STATIC | Modifier.VOLATILE;

    private FieldEraser() {}

    private static List<Field> fields(Class<?> type) {
        return declared(type).stream()
                .filter(field -> (field.getModifiers() & KEPT) == 0)
                .filter(field -> !field.isAnnotationPresent(UnderWay.class))
                .toList();
    }

    /** Of the class and what it is made from, accessible. */
    private static List<Field> declared(Class<?> type) {
        List<Field> found = new ArrayList<>();
        // A turn is no state of the session: who holds it now goes on holding it.
        for (Class<?> at = type; at != Object.class && at != Turn.class; at = at.getSuperclass()) {
            for (Field field : at.getDeclaredFields()) {
                field.setAccessible(true);
                found.add(field);
            }
        }
        return found;
    }

    static void blank(Object object) {
        for (Field part : PARTS.get(object.getClass())) {
            try {
                blank(part.get(object));
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(part + " cannot be emptied", e);
            }
        }
        for (Field field : FIELDS.get(object.getClass())) {
            try {
                if (field.getType() == boolean.class) {
                    field.setBoolean(object, false);
                } else if (field.getType().isPrimitive()) {
                    // Widens to whatever number it is.
                    field.setByte(object, (byte) 0);
                } else {
                    field.set(object, null);
                }
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(field + " cannot be emptied", e);
            }
        }
    }
}
