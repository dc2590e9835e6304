// Tensors, in small.
#include <vector>

namespace small::detail {

template <typename T>
struct Shape {
  std::vector<T> sizes;
};

}  // namespace small::detail

namespace small {

class Tensor : public Base {
 public:
  explicit Tensor(int rank, std::string name = "x")
      : rank_(rank), name_(std::move(name)) {}
  ~Tensor() = default;

  int rank() const { return rank_; }

  Tensor& operator+=(const Tensor& other) {
    add(other, 1.0, /*in_place=*/true);
    return *this;
  }

 private:
  struct Part {
    int at;
  };
  int rank_;
};

template <typename T, int N>
T Tensor::sum(
    const T* data) {
  T total{};
  std::for_each(data, data + N, [&](const T& one) {
    total += one;
  });
  try {
    check(total, "sum", R"(a "raw" one)");
  } catch (const std::exception& error) {
    return T{};
  }
  return total;
}

template <>
float Table<float>::get(int at) const {
  return at < 0 ? 0.0f : data_[at];
}

enum class Kind : int { First, Second };

}  // namespace small

int main(int argc, char** argv) {
  auto run = [argc](auto&& f) { return f(argc, argv, "main"); };
  return run(small::start);
}
