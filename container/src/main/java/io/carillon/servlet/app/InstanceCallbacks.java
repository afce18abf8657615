package io.carillon.servlet.app;

import java.lang.classfile.MethodModel;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;

/**
 * Calls what is annotated {@code @PostConstruct} and {@code @PreDestroy} in servlets and listeners
 * (JSR 250): of superclasses first, and the other way round at the end. One thread.
 */
final class InstanceCallbacks {
    private static final String POST_CONSTRUCT = "Ljavax/annotation/PostConstruct;";
    private static final String PRE_DESTROY = "Ljavax/annotation/PreDestroy;";

    private final String archive;

    InstanceCallbacks(String archive) {
        this.archive = archive;
    }

    /** After the injection, before {@code init}. */
    void postConstruct(Object instance) throws DeploymentException {
        for (ClassFiles.Read read : ClassFiles.of(archive, instance)) {
            call(read, POST_CONSTRUCT, "@PostConstruct", instance);
        }
    }

    /** After {@code destroy}. */
    void preDestroy(Object instance) throws DeploymentException {
        List<ClassFiles.Read> classes = ClassFiles.of(archive, instance);
        for (ClassFiles.Read read : classes.reversed()) {
            call(read, PRE_DESTROY, "@PreDestroy", instance);
        }
    }

    private void call(ClassFiles.Read read, String descriptor, String shown, Object instance)
            throws DeploymentException {
        for (MethodModel model : read.model().methods()) {
            if (ClassFiles.annotation(model, descriptor) == null) {
                continue;
            }
            String name = model.methodName().stringValue();
            String element = shown + " " + read.type().getName() + "." + name;
            try {
                Method method = read.type().getDeclaredMethod(name);
                if (Modifier.isStatic(method.getModifiers())) {
                    throw new NoSuchMethodException(name);
                }
                if (overridden(method, instance)) {
                    continue; // the class below has it, and says itself whether it is one
                }
                method.setAccessible(true);
                method.invoke(instance);
            } catch (NoSuchMethodException e) {
                throw new DeploymentException(
                        archive, 0, element, "must have no parameters and not be static", e);
            } catch (InvocationTargetException e) {
                throw new DeploymentException(
                        archive, 0, element, "threw " + e.getCause(), e.getCause());
            } catch (IllegalAccessException | LinkageError e) {
                throw new DeploymentException(archive, 0, element, "cannot be called: " + e, e);
            }
        }
    }

    private static boolean overridden(Method method, Object instance) {
        if (Modifier.isPrivate(method.getModifiers())) {
            return false;
        }
        for (Class<?> type = instance.getClass();
                type != null && type != method.getDeclaringClass();
                type = type.getSuperclass()) {
            for (Method other : type.getDeclaredMethods()) {
                if (other.getName().equals(method.getName()) && other.getParameterCount() == 0) {
                    return true;
                }
            }
        }
        return false;
    }
}
