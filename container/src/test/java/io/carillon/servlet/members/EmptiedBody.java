package io.carillon.servlet.members;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.InvokeInstruction;
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

/** Class files in which one member does nothing any more. */
final class EmptiedBody {
    private static final ClassFile FILES = ClassFile.of();

    private EmptiedBody() {}

    static byte[] bytes(Class<?> type) throws IOException {
        String name = "/" + type.getName().replace('.', '/') + ".class";
        try (InputStream in = Objects.requireNonNull(type.getResourceAsStream(name), name)) {
            return in.readAllBytes();
        }
    }

    /**
     * The class with that method returning the default of its type. A body that did no more than
     * that, and a constructor, throws instead: then the test has to come there at all.
     */
    static byte[] of(Class<?> type, Executable member) throws IOException {
        ClassModel model = FILES.parse(bytes(type));
        return FILES.transformClass(
                model,
                ClassTransform.transformingMethods(
                        method -> is(method, member),
                        (builder, element) -> {
                            if (element instanceof CodeModel code) {
                                builder.withCode(to -> body(to, code, member));
                            } else {
                                builder.with(element);
                            }
                        }));
    }

    private static void body(CodeBuilder to, CodeModel code, Executable member) {
        long instructions =
                code.elementStream().filter(element -> element instanceof Instruction).count();
        boolean nothing =
                instructions <= 2
                        && code.elementStream()
                                .filter(element -> element instanceof Instruction)
                                .allMatch(EmptiedBody::isDefault);
        if (nothing || member instanceof Constructor<?>) {
            ClassDesc error = AssertionError.class.describeConstable().orElseThrow();
            to.new_(error).dup();
            to.invokespecial(error, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void).athrow();
        } else {
            TypeKind kind = TypeKind.from(((Method) member).getReturnType());
            pushDefault(to, kind);
            to.return_(kind);
        }
    }

    private static boolean isDefault(CodeElement element) {
        return switch (((Instruction) element).opcode()) {
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
