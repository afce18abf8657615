package io.carillon.servlet.app;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Annotations by the class files of an application's classes, not by reflection: the common
 * annotations ({@code javax.annotation}) left the JDK with 11, and the JVM drops an annotation
 * whose class it cannot load without a word.
 */
final class ClassFiles {
    private ClassFiles() {}

    /** A class with its class file. */
    record Read(Class<?> type, ClassModel model) {}

    /**
     * The instance's class and its superclasses up to the API, the superclass first.
     *
     * @param archive what messages call it
     */
    static List<Read> of(String archive, Object instance) throws DeploymentException {
        List<Read> read = new ArrayList<>();
        Class<?> type = instance.getClass();
        while (type != null
                && !type.getName().startsWith("javax.")
                && !type.getName().startsWith("java.")) {
            ClassModel model = read(archive, type);
            if (model != null) {
                read.addFirst(new Read(type, model));
            }
            type = type.getSuperclass();
        }
        return read;
    }

    private static @Nullable ClassModel read(String archive, Class<?> type)
            throws DeploymentException {
        String file = type.getName().replace('.', '/') + ".class";
        ClassLoader loader = type.getClassLoader();
        if (type.isHidden() || loader == null) {
            return null; // a lambda's or the JDK's class has no annotation of ours
        }
        try (InputStream bytes = loader.getResourceAsStream(file)) {
            return bytes == null ? null : ClassFile.of().parse(bytes.readAllBytes());
        } catch (IOException | RuntimeException e) {
            throw new DeploymentException(
                    archive, 0, type.getName(), "cannot read the class file: " + e.getMessage(), e);
        }
    }

    /** The annotation of that type, or null. */
    static @Nullable Annotation annotation(AttributedElement element, String descriptor) {
        for (Annotation one :
                element.findAttribute(Attributes.runtimeVisibleAnnotations())
                        .map(found -> found.annotations())
                        .orElse(List.of())) {
            if (one.className().equalsString(descriptor)) {
                return one;
            }
        }
        return null;
    }

    /** The text of an annotation's element; empty where it is left to its default. */
    static String text(Annotation annotation, String name) {
        for (AnnotationElement element : annotation.elements()) {
            if (element.name().equalsString(name)) {
                return switch (element.value()) {
                    case AnnotationValue.OfString text -> text.stringValue().strip();
                    case AnnotationValue.OfClass type -> type.className().stringValue();
                    default -> "";
                };
            }
        }
        return "";
    }
}
