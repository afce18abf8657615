package io.carillon.servlet.check;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.FieldRefEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What one class file refers to. Immutable.
 *
 * @param name of the class, with dots
 * @param superName of its superclass; empty for none
 * @param javaVersion that it was compiled for, as 8 or 25
 * @param classes that it uses, with dots; an entry of its constant pool alone is no use
 * @param members of other classes that it uses
 * @param methods that it declares: name and descriptor
 */
record ClassReferences(
        String name,
        String superName,
        int javaVersion,
        Set<String> classes,
        List<Member> members,
        Set<String> methods) {
    private static final int MAJOR_OF_JAVA_0 = 44;

    /** A member of another class. */
    record Member(String owner, String name, String descriptor, boolean field) {}

    /**
     * @throws IllegalArgumentException when it is no class file
     */
    static ClassReferences of(byte[] bytes) {
        ClassModel model = ClassFile.of().parse(bytes);
        String own = dots(model.thisClass().asInternalName());
        Set<String> classes = new LinkedHashSet<>();
        List<Member> members = new ArrayList<>();
        UsedEntries used = UsedEntries.of(model);
        for (PoolEntry entry : model.constantPool()) {
            if (entry instanceof ClassEntry type && used.uses(type)) {
                add(classes, type.asInternalName());
            } else if (entry instanceof MemberRefEntry member && used.uses(member)) {
                String owner = member.owner().asInternalName();
                if (!owner.startsWith("[")) {
                    members.add(
                            new Member(
                                    dots(owner),
                                    member.name().stringValue(),
                                    member.type().stringValue(),
                                    member instanceof FieldRefEntry));
                }
            }
        }
        classes.remove(own);
        Set<String> methods = new LinkedHashSet<>();
        for (MethodModel method : model.methods()) {
            methods.add(method.methodName().stringValue() + method.methodType().stringValue());
        }
        return new ClassReferences(
                own,
                model.superclass().map(type -> dots(type.asInternalName())).orElse(""),
                model.majorVersion() - MAJOR_OF_JAVA_0,
                classes,
                members,
                methods);
    }

    private static void add(Set<String> classes, String internal) {
        String name = internal;
        if (name.startsWith("[")) {
            name = name.replaceFirst("^\\[+L?", "").replace(";", "");
            if (name.length() == 1) {
                return; // an array of numbers
            }
        }
        classes.add(dots(name));
    }

    private static String dots(String internal) {
        return internal.replace('/', '.');
    }
}
