package io.carillon.servlet.members;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import javax.servlet.sip.SipServletMessage;

/** One public or protected method, constructor or constant that a type of the API declares. */
record Member(String name, Class<?> type, java.lang.reflect.Member declaration) {
    private static final String ROOT = "javax.servlet.sip.";

    boolean constant() {
        return declaration instanceof Field;
    }

    /** Every member of the API artifact, by name. */
    static SortedMap<String, Member> all() throws Exception {
        SortedMap<String, Member> members = new TreeMap<>();
        for (Class<?> type : types()) {
            add(members, type, type.getDeclaredFields());
            add(members, type, type.getDeclaredConstructors());
            add(members, type, type.getDeclaredMethods());
        }
        return members;
    }

    private static void add(
            SortedMap<String, Member> members,
            Class<?> type,
            java.lang.reflect.Member[] declarations) {
        for (java.lang.reflect.Member declaration : declarations) {
            int access = declaration.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED);
            if (access != 0 && !declaration.isSynthetic()) {
                String name = nameOf(type, declaration);
                members.put(name, new Member(name, type, declaration));
            }
        }
    }

    private static String nameOf(Class<?> type, java.lang.reflect.Member declaration) {
        String owner = type.getName().substring(ROOT.length()).replace('$', '.') + "#";
        return switch (declaration) {
            case Constructor<?> constructor ->
                    owner + type.getSimpleName() + parameters(constructor);
            case Method method -> owner + method.getName() + parameters(method);
            default -> owner + declaration.getName();
        };
    }

    private static String parameters(Executable executable) {
        return Arrays.stream(executable.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(",", "(", ")"));
    }

    private static List<Class<?>> types() throws Exception {
        try (JarFile file = new JarFile(artifact().toFile())) {
            List<String> names =
                    file.stream()
                            .map(JarEntry::getName)
                            .filter(name -> name.startsWith("javax/servlet/sip/"))
                            .filter(name -> name.endsWith(".class"))
                            .map(name -> name.substring(0, name.length() - 6).replace('/', '.'))
                            .toList();
            List<Class<?>> types = new java.util.ArrayList<>();
            for (String name : names) {
                types.add(Class.forName(name, false, Member.class.getClassLoader()));
            }
            return types;
        }
    }

    private static Path artifact() throws URISyntaxException {
        return Path.of(
                SipServletMessage.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI());
    }
}
