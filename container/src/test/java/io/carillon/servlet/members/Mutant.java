package io.carillon.servlet.members;

import io.carillon.servlet.SipContainer;
import java.io.IOException;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One member emptied, wherever its code stands, until it is restored. */
final class Mutant implements AutoCloseable {
    private final Set<Class<?>> changed;

    private Mutant(Set<Class<?>> changed) {
        this.changed = changed;
    }

    /**
     * Empties the member: its body in the API's own class; or the bodies in every class of the
     * container that implements it; or, for what applications implement, the container's calls; or,
     * for an element of an annotation, what the container reads of it. Null when there is none of
     * these.
     */
    static @Nullable Mutant of(Member member) throws Exception {
        List<ClassDefinition> changes = new ArrayList<>();
        Executable declared = (Executable) member.declaration();
        if (member.type().isAnnotation()) {
            changes.add(UnreadElement.of(member.type(), declared.getName()));
        } else if (!Modifier.isAbstract(declared.getModifiers())) {
            changes.add(
                    new ClassDefinition(member.type(), EmptiedBody.of(member.type(), declared)));
        } else {
            Method method = (Method) declared;
            for (Method body : bodies(member.type(), method)) {
                Class<?> owner = body.getDeclaringClass();
                changes.add(new ClassDefinition(owner, EmptiedBody.of(owner, body)));
            }
            if (changes.isEmpty()) {
                addCalls(method, changes);
            }
        }
        if (changes.isEmpty()) {
            return null;
        }
        Set<Class<?>> changed = new LinkedHashSet<>();
        for (ClassDefinition change : changes) {
            changed.add(change.getDefinitionClass());
        }
        MutationAgent.instrumentation().redefineClasses(changes.toArray(ClassDefinition[]::new));
        return new Mutant(changed);
    }

    static Set<Method> bodies(Class<?> api, Method member) throws Exception {
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
        return null;
    }

    private static void addCalls(Method member, List<ClassDefinition> changes) throws Exception {
        for (Class<?> type : ClassFolder.beside(SipContainer.class)) {
            byte[] without = EmptiedBody.withoutCalls(type, member);
            if (without != null) {
                changes.add(new ClassDefinition(type, without));
            }
        }
    }

    @Override
    public void close()
            throws ReflectiveOperationException, IOException, UnmodifiableClassException {
        List<ClassDefinition> originals = new ArrayList<>();
        for (Class<?> type : changed) {
            originals.add(new ClassDefinition(type, EmptiedBody.bytes(type)));
        }
        MutationAgent.instrumentation().redefineClasses(originals.toArray(ClassDefinition[]::new));
    }
}
