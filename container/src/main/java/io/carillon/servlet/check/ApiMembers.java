package io.carillon.servlet.check;

import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.Executable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Members of the API and of the JDK: which are there, and which of the API are not done yet. */
final class ApiMembers {
    private static final String SIP = "javax.servlet.sip.";
    private final Map<String, String> unsupported = Unsupported.list();

    /** Whether the class or one above it declares the member. Nothing is initialized. */
    static boolean has(Class<?> type, ClassReferences.Member member) {
        try {
            return member.field() ? hasField(type, member) : hasMethod(type, member);
        } catch (LinkageError e) {
            return true; // what cannot be looked at is not called missing
        }
    }

    private static boolean hasField(Class<?> type, ClassReferences.Member member) {
        for (Class<?> at : above(type)) {
            for (var field : at.getDeclaredFields()) {
                if (field.getName().equals(member.name())
                        && field.getType().descriptorString().equals(member.descriptor())) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean hasMethod(Class<?> type, ClassReferences.Member member) {
        boolean polymorphic = type.getName().startsWith("java.lang.invoke.");
        for (Class<?> at : above(type)) {
            boolean constructor = member.name().equals("<init>");
            Executable[] all = constructor ? at.getDeclaredConstructors() : at.getDeclaredMethods();
            for (Executable one : all) {
                boolean named = constructor || one.getName().equals(member.name());
                if (named && (polymorphic || descriptor(one).equals(member.descriptor()))) {
                    return true;
                }
            }
            if (constructor) {
                return false;
            }
        }
        return false;
    }

    private static String descriptor(Executable one) {
        StringBuilder text = new StringBuilder("(");
        for (Class<?> parameter : one.getParameterTypes()) {
            text.append(parameter.descriptorString());
        }
        text.append(')');
        return text.append(
                        one instanceof java.lang.reflect.Method method
                                ? method.getReturnType().descriptorString()
                                : "V")
                .toString();
    }

    private static List<Class<?>> above(Class<?> type) {
        List<Class<?>> all = new ArrayList<>();
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            all.add(at);
        }
        for (int i = 0; i < all.size(); i++) {
            for (Class<?> one : all.get(i).getInterfaces()) {
                if (!all.contains(one)) {
                    all.add(one);
                }
            }
        }
        if (type.isInterface()) {
            all.add(Object.class);
        }
        return all;
    }

    /** Why a member of the SIP Servlet API does nothing yet; null when it works. */
    @Nullable String unsupported(ClassReferences.Member member) {
        if (!member.owner().startsWith(SIP) || member.field()) {
            return null;
        }
        String listed = unsupported.get(text(member));
        return listed != null ? listed : unsupported.get(simple(member.owner()));
    }

    /** {@code Type.member(Parameters)} with short names, as people write it. */
    static String text(ClassReferences.Member member) {
        String owner = simple(member.owner());
        if (member.field()) {
            return owner + "." + member.name();
        }
        String parameters =
                MethodTypeDesc.ofDescriptor(member.descriptor()).parameterList().stream()
                        .map(ClassDesc::displayName)
                        .collect(Collectors.joining(", "));
        return member.name().equals("<init>")
                ? "new " + owner + "(" + parameters + ")"
                : owner + "." + member.name() + "(" + parameters + ")";
    }

    private static String simple(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }
}
