package io.carillon.servlet.members;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Class files in which one member no longer does what it did. */
final class ChangedBody {
    private static final ClassFile FILES = ClassFile.of();

    private ChangedBody() {}

    static byte[] bytes(Class<?> type) throws IOException {
        String name = "/" + type.getName().replace('.', '/') + ".class";
        try (InputStream in = Objects.requireNonNull(type.getResourceAsStream(name), name)) {
            return in.readAllBytes();
        }
    }

    /** What can be done to that method or constructor of a class. */
    static List<Change> changes(Class<?> type, Executable member) throws IOException {
        if (member instanceof Constructor<?>) {
            boolean plain = member.getParameterCount() == 0;
            return List.of(plain ? Change.THROWS : Change.WITHOUT_ARGUMENTS);
        }
        Class<?> returned = ((Method) member).getReturnType();
        if (returnsDefaultOnly(type, member)) {
            return List.of(returned == void.class ? Change.THROWS : Change.ANOTHER_VALUE);
        }
        if (returned == boolean.class) {
            return returnsTrueOnly(type, member)
                    ? List.of(Change.EMPTIED)
                    : List.of(Change.EMPTIED, Change.ALWAYS_TRUE);
        }
        boolean plain = returned == String.class || returned.isPrimitive();
        return plain && returned != void.class
                ? List.of(Change.EMPTIED, Change.ANOTHER_VALUE)
                : List.of(Change.EMPTIED);
    }

    private static boolean returnsDefaultOnly(Class<?> type, Executable member) throws IOException {
        List<Opcode> code = instructions(type, member);
        return code.size() <= 2 && code.stream().allMatch(ChangedBody::isDefault);
    }

    private static boolean returnsTrueOnly(Class<?> type, Executable member) throws IOException {
        return instructions(type, member).equals(List.of(Opcode.ICONST_1, Opcode.IRETURN));
    }

    private static List<Opcode> instructions(Class<?> type, Executable member) throws IOException {
        return FILES.parse(bytes(type)).methods().stream()
                .filter(method -> is(method, member))
                .flatMap(method -> method.code().stream())
                .flatMap(CodeModel::elementStream)
                .filter(Instruction.class::isInstance)
                .map(element -> ((Instruction) element).opcode())
                .toList();
    }

    /** The class with that method or constructor changed. */
    static byte[] of(Class<?> type, Executable member, Change change) throws IOException {
        ClassModel model = FILES.parse(bytes(type));
        return FILES.transformClass(
                model,
                ClassTransform.transformingMethods(
                        method -> is(method, member), body(member, change)));
    }

    private static MethodTransform body(Executable member, Change change) {
        if (change == Change.WITHOUT_ARGUMENTS) {
            int last =
                    Arrays.stream(member.getParameterTypes())
                            .mapToInt(type -> TypeKind.from(type).slotSize())
                            .sum();
            return MethodTransform.transformingCode((builder, element) -> {
                if (element instanceof LoadInstruction load
                        && load.slot() > 0
                        && load.slot() <= last) {
                    pushDefault(builder, load.typeKind());
                } else {
                    builder.with(element);
                }
            });
        }
        return (builder, element) -> {
            if (element instanceof CodeModel) {
                builder.withCode(code -> write(code, member, change));
            } else {
                builder.with(element);
            }
        };
    }

    private static void write(CodeBuilder to, Executable member, Change change) {
        if (change == Change.THROWS) {
            ClassDesc error = AssertionError.class.describeConstable().orElseThrow();
            to.new_(error).dup();
            to.invokespecial(error, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void).athrow();
            return;
        }
        Class<?> type = ((Method) member).getReturnType();
        TypeKind kind = TypeKind.from(type);
        if (change == Change.EMPTIED) {
            pushDefault(to, kind);
        } else {
            pushOther(to, type);
        }
        to.return_(kind);
    }

    private static void pushOther(CodeBuilder to, Class<?> type) {
        switch (TypeKind.from(type).asLoadable()) {
            case INT -> to.loadConstant(type == boolean.class ? 1 : 4711);
            case LONG -> to.loadConstant(4711L);
            case FLOAT -> to.loadConstant(4711f);
            case DOUBLE -> to.loadConstant(4711d);
            default -> {
                ClassDesc wanted = type.describeConstable().orElseThrow();
                to.ldc(wanted);
                to.invokestatic(
                        ClassDesc.of(OtherValue.class.getName()),
                        "of",
                        MethodTypeDesc.of(ConstantDescs.CD_Object, ConstantDescs.CD_Class));
                to.checkcast(wanted);
            }
        }
    }

    private static boolean isDefault(Opcode opcode) {
        return switch (opcode) {
            case ACONST_NULL, ICONST_0, LCONST_0, FCONST_0, RETURN, ARETURN, IRETURN, LRETURN ->
                    true;
            default -> false;
        };
    }

    private static boolean is(MethodModel method, Executable member) {
        String name = member instanceof Constructor<?> ? ConstantDescs.INIT_NAME : member.getName();
        return method.methodName().equalsString(name)
                && method.methodTypeSymbol().equals(symbol(member));
    }

    private static MethodTypeDesc symbol(Executable member) {
        Class<?> returned = member instanceof Method method ? method.getReturnType() : void.class;
        List<ClassDesc> parameters =
                Arrays.stream(member.getParameterTypes())
                        .map(parameter -> parameter.describeConstable().orElseThrow())
                        .toList();
        return MethodTypeDesc.of(returned.describeConstable().orElseThrow(), parameters);
    }

    /** The class without its calls of that method, or null when it makes none. */
    static byte @Nullable [] withoutCalls(Class<?> type, Method callee) throws IOException {
        ClassModel model = FILES.parse(bytes(type));
        AtomicBoolean found = new AtomicBoolean();
        CodeTransform strike =
                (builder, element) -> {
                    if (element instanceof InvokeInstruction call && calls(call, callee)) {
                        found.set(true);
                        strike(builder, call.typeSymbol());
                    } else {
                        builder.with(element);
                    }
                };
        byte[] bytes = FILES.transformClass(model, ClassTransform.transformingMethodBodies(strike));
        return found.get() ? bytes : null;
    }

    private static boolean calls(InvokeInstruction call, Method callee) {
        String owner = callee.getDeclaringClass().getName().replace('.', '/');
        return call.owner().asInternalName().equals(owner)
                && call.name().equalsString(callee.getName())
                && call.typeSymbol().equals(symbol(callee));
    }

    private static void strike(CodeBuilder builder, MethodTypeDesc type) {
        for (int i = type.parameterCount() - 1; i >= 0; i--) {
            if (TypeKind.from(type.parameterType(i)).slotSize() == 2) {
                builder.pop2();
            } else {
                builder.pop();
            }
        }
        builder.pop();
        pushDefault(builder, TypeKind.from(type.returnType()));
    }

    private static void pushDefault(CodeBuilder builder, TypeKind kind) {
        switch (kind.asLoadable()) {
            case INT -> builder.iconst_0();
            case LONG -> builder.lconst_0();
            case FLOAT -> builder.fconst_0();
            case DOUBLE -> builder.dconst_0();
            case REFERENCE -> builder.aconst_null();
            default -> {}
        }
    }
}
