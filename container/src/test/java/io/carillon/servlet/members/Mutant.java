package io.carillon.servlet.members;

import io.carillon.servlet.SipContainer;
import java.io.IOException;
import java.lang.instrument.ClassDefinition;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * One member changed at one place. It does nothing until it is applied.
 *
 * @param where the class whose body it changes, or what becomes blind or silent
 * @param classes makes the changed classes
 */
record Mutant(String where, Change change, Callable<List<ClassDefinition>> classes) {

    /**
     * What can be done to a member: to its body in the API's own class; or to each body of the
     * container that implements it; or, for what applications implement, to the container's calls;
     * or, for an element of an annotation, to what the container reads of it. Empty when there is
     * none of these.
     */
    static List<Mutant> of(Member member) throws Exception {
        Executable declared = (Executable) member.declaration();
        Class<?> type = member.type();
        if (type.isAnnotation()) {
            return List.of(
                    new Mutant(
                            UnreadElement.READER,
                            Change.UNREAD,
                            () -> List.of(UnreadElement.of(type, declared.getName()))));
        }
        if (!Modifier.isAbstract(declared.getModifiers())) {
            return changes(type, declared);
        }
        Method method = (Method) declared;
        List<Mutant> mutants = new ArrayList<>();
        for (Method body : bodies(type, method)) {
            mutants.addAll(changes(body.getDeclaringClass(), body));
        }
        if (mutants.isEmpty() && !calls(method).isEmpty()) {
            mutants.add(new Mutant("the container", Change.UNCALLED, () -> calls(method)));
        }
        return mutants;
    }

    private static List<Mutant> changes(Class<?> type, Executable body) throws IOException {
        List<Mutant> mutants = new ArrayList<>();
        for (Change change : ChangedBody.changes(type, body)) {
            mutants.add(
                    new Mutant(
                            type.getName(),
                            change,
                            () ->
                                    List.of(
                                            new ClassDefinition(
                                                    type, ChangedBody.of(type, body, change)))));
        }
        return mutants;
    }

    /** Changes the loaded classes, until the result is closed. */
    AutoCloseable apply() throws Exception {
        List<ClassDefinition> changed = classes.call();
        MutationAgent.instrumentation().redefineClasses(changed.toArray(ClassDefinition[]::new));
        return () -> restore(changed);
    }

    private static void restore(List<ClassDefinition> changed) throws Exception {
        List<ClassDefinition> originals = new ArrayList<>();
        for (ClassDefinition one : changed) {
            Class<?> type = one.getDefinitionClass();
            originals.add(new ClassDefinition(type, ChangedBody.bytes(type)));
        }
        MutationAgent.instrumentation().redefineClasses(originals.toArray(ClassDefinition[]::new));
    }

    @Override
    public String toString() {
        return change + " in " + where.substring(where.lastIndexOf('.') + 1);
    }

    private static Set<Method> bodies(Class<?> api, Method member) throws Exception {
        Set<Method> bodies = new LinkedHashSet<>();
        for (Class<?> type : ClassFolder.beside(SipContainer.class)) {
            if (api.isAssignableFrom(type) && !type.isInterface()) {
                Method body = body(type, member);
                if (body != null) {
                    bodies.add(body);
                }
            }
        }
        return bodies;
    }

    private static @Nullable Method body(Class<?> type, Method member) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            for (Method method : at.getDeclaredMethods()) {
                if (method.getName().equals(member.getName())
                        && List.of(method.getParameterTypes())
                                .equals(List.of(member.getParameterTypes()))
                        && !method.isBridge()
                        && !Modifier.isAbstract(method.getModifiers())) {
                    boolean own = at.getName().startsWith("io.carillon.");
                    return own ? method : null;
                }
            }
        }
        return defaultBody(type, member);
    }

    /** That of an interface of the container's own. */
    private static @Nullable Method defaultBody(Class<?> type, Method member) {
        for (Method method : type.getMethods()) {
            if (method.isDefault()
                    && method.getName().equals(member.getName())
                    && List.of(method.getParameterTypes())
                            .equals(List.of(member.getParameterTypes()))
                    && method.getDeclaringClass().getName().startsWith("io.carillon.")) {
                return method;
            }
        }
        return null;
    }

    private static List<ClassDefinition> calls(Method member) throws Exception {
        List<ClassDefinition> changes = new ArrayList<>();
        for (Class<?> type : ClassFolder.beside(SipContainer.class)) {
            byte[] without = ChangedBody.withoutCalls(type, member);
            if (without != null) {
                changes.add(new ClassDefinition(type, without));
            }
        }
        return changes;
    }
}
